import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.model.Problem;

/** Makes the calls of an order with a client that openapi-generator generated. Its models read and write every body. */
class Calls {
  public static void main(String[] args) throws Exception {
    JsonNode order = new ObjectMapper().readTree(new File(args[0]));
    for (String kind : new String[] {"good", "bad", "denied"}) {
      String token = kind.equals("denied") ? "wrong" : order.get("token").asText();
      ApiClient client = new ApiClient();
      client.updateBaseUri(order.get("base").asText());
      client.setRequestInterceptor(request -> request.setHeader("Authorization", "Bearer " + token));
      for (JsonNode call : order.get("calls")) {
        JsonNode sent = kind.equals("bad") ? call.get("bad") : call;
        if (sent != null) System.out.println(call.get("operationId").asText() + " " + kind + " " + answer(client, call, sent));
      }
    }
  }

  /** No operation with a body has a list in its query. */
  static boolean isBody(Class<?> type) {
    return type == List.class || (type.getPackage().equals(Problem.class.getPackage()) && !type.isEnum());
  }

  static String answer(ApiClient client, JsonNode call, JsonNode sent) throws Exception {
    Class<?> api = Class.forName("org.openapitools.client.api." + call.get("tag").asText() + "Api");
    String name = call.get("operationId").asText() + "WithHttpInfo";
    Method method = Arrays.stream(api.getMethods())
        .filter(one -> one.getName().equals(name))
        .min(Comparator.comparing(Method::getParameterCount))
        .orElseThrow();
    ObjectMapper mapper = client.getObjectMapper();
    Parameter[] parameters = method.getParameters();
    Object[] values = new Object[parameters.length];
    for (int index = 0; index < parameters.length; index++) {
      JsonNode value = sent.get("parameters").get(parameters[index].getName());
      if (value == null && sent.has("body") && isBody(parameters[index].getType())) value = sent.get("body");
      if (value != null) values[index] = mapper.convertValue(value, mapper.constructType(parameters[index].getParameterizedType()));
    }
    try {
      Object instance = api.getConstructor(ApiClient.class).newInstance(client);
      return String.valueOf(((ApiResponse<?>) method.invoke(instance, values)).getStatusCode());
    } catch (InvocationTargetException wrapped) {
      if (!(wrapped.getCause() instanceof ApiException refused) || refused.getCode() == 0) throw wrapped;
      Problem problem = mapper.readValue(refused.getResponseBody(), Problem.class);
      boolean hasFaults = problem.getErrors() != null && !problem.getErrors().isEmpty();
      return refused.getCode() + " " + problem.getType() + (hasFaults ? " " + problem.getErrors().get(0).getPointer() : "");
    }
  }
}
