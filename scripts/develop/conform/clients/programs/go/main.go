// Calls makes the calls of an order with a client that oapi-codegen generated. Its types read and write every body.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"

	"made/client"
)

type sent struct {
	Parameters map[string]json.RawMessage `json:"parameters"`
	Body       json.RawMessage            `json:"body"`
}

type call struct {
	sent
	OperationID string `json:"operationId"`
	Path        string `json:"path"`
	Bad         *sent  `json:"bad"`
}

type order struct {
	Base  string `json:"base"`
	Token string `json:"token"`
	Calls []call `json:"calls"`
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

func main() {
	text, err := os.ReadFile(os.Args[1])
	must(err)
	var all order
	must(json.Unmarshal(text, &all))
	for _, kind := range []string{"good", "bad", "denied"} {
		token := all.Token
		if kind == "denied" {
			token = "wrong"
		}
		authorize := func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		}
		store, err := client.NewClientWithResponses(all.Base, client.WithRequestEditorFn(authorize))
		must(err)
		for _, one := range all.Calls {
			what := &one.sent
			if kind == "bad" {
				what = one.Bad
			}
			if what != nil {
				fmt.Println(one.OperationID, kind, answer(store, one, *what))
			}
		}
	}
}

// answer calls the method of an operation with its path parameters, its query and header parameters, and its body.
func answer(store *client.ClientWithResponses, one call, what sent) string {
	method := reflect.ValueOf(store).MethodByName(strings.ToUpper(one.OperationID[:1]) + one.OperationID[1:] + "WithResponse")
	kind := method.Type()
	inPath := parameter.FindAllStringSubmatch(one.Path, -1)
	values := []reflect.Value{reflect.ValueOf(context.Background())}
	for index := 1; index < kind.NumIn()-1; index++ {
		value := reflect.New(kind.In(index))
		if index <= len(inPath) {
			must(json.Unmarshal(what.Parameters[inPath[index-1][1]], value.Interface()))
		} else if kind.In(index).Kind() == reflect.Pointer {
			value.Elem().Set(reflect.New(kind.In(index).Elem()))
		} else {
			must(json.Unmarshal(what.Body, value.Interface()))
		}
		values = append(values, value.Elem())
	}
	results := method.Call(values)
	if err, ok := results[1].Interface().(error); ok {
		must(err)
	}
	return read(results[0].Elem())
}

// read returns the status of a response and, from the field for this status, the problem's type and the place of its first
// fault.
func read(response reflect.Value) string {
	status := response.FieldByName("HTTPResponse").Interface().(*http.Response).StatusCode
	if status < 300 {
		return fmt.Sprint(status)
	}
	field := response.FieldByName(fmt.Sprintf("ApplicationproblemJSON%d", status))
	if !field.IsValid() || field.IsNil() {
		return fmt.Sprint(status)
	}
	problem := field.Elem().Convert(reflect.TypeFor[client.Problem]()).Interface().(client.Problem)
	if problem.Errors == nil || len(*problem.Errors) == 0 {
		return fmt.Sprint(status, " ", problem.Type)
	}
	return fmt.Sprint(status, " ", problem.Type, " ", (*problem.Errors)[0].Pointer)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
