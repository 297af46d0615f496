using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Made.Client;
using Made.Model;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Makes the calls of an order with a client that openapi-generator made, whose models read and write every body.</summary>
static class Calls
{
    static void Main(string[] arguments)
    {
        // A time stays as it was sent.
        var settings = new JsonSerializerSettings { DateParseHandling = DateParseHandling.None };
        var order = JsonConvert.DeserializeObject<JObject>(File.ReadAllText(arguments[0]), settings);
        foreach (var kind in new[] { "good", "bad", "denied" })
        {
            var token = kind == "denied" ? "wrong" : (string)order["token"];
            var configuration = new Configuration { BasePath = (string)order["base"], AccessToken = token };
            foreach (JObject call in order["calls"])
            {
                var sent = kind == "bad" ? (JObject)call["bad"] : call;
                if (sent != null) Console.WriteLine(call["operationId"] + " " + kind + " " + Answer(configuration, call, sent));
            }
        }
    }

    static object Modelled(JToken value, Type type) => JsonConvert.DeserializeObject(JsonConvert.SerializeObject(value), type);

    /// <summary>No operation with a body has a list in its query.</summary>
    static bool IsBody(Type type) =>
        type.IsGenericType ? type.GetGenericTypeDefinition() == typeof(List<>) : type.IsClass && type.Namespace == typeof(Problem).Namespace;

    static string Answer(Configuration configuration, JObject call, JObject sent)
    {
        var operation = (string)call["operationId"];
        var type = typeof(Configuration).Assembly.GetType("Made.Api." + call["tag"] + "Api");
        var method = type.GetMethod(char.ToUpperInvariant(operation[0]) + operation.Substring(1) + "WithHttpInfo");
        var values = method.GetParameters().Select(parameter =>
        {
            var value = sent["parameters"][parameter.Name] ?? (IsBody(parameter.ParameterType) ? sent["body"] : null);
            return value == null ? parameter.DefaultValue : Modelled(value, parameter.ParameterType);
        });
        try
        {
            var answer = (IApiResponse)method.Invoke(Activator.CreateInstance(type, configuration), values.ToArray());
            return ((int)answer.StatusCode).ToString();
        }
        catch (TargetInvocationException wrapped) when ((wrapped.InnerException as ApiException)?.ErrorCode > 0)
        {
            var refused = (ApiException)wrapped.InnerException;
            var problem = JsonConvert.DeserializeObject<Problem>((string)refused.ErrorContent);
            return refused.ErrorCode + " " + problem.Type + " " + problem.Errors?.FirstOrDefault()?.Pointer;
        }
    }
}
