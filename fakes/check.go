package fakes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mismatch is a value of the wrong type.
type mismatch struct {
	at      path
	problem string
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// check compares JSON with the Go type of a kind. The decoder would find the
// same mistakes, but cannot say where in a list, and not at all for times and
// quantities.
func check(at path, k *kind, data json.RawMessage) *mismatch {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return &mismatch{at, "want an object"}
	}
	return checkValue(at, k.goType.Elem(), value)
}

func checkValue(at path, t reflect.Type, value any) *mismatch {
	if value == nil {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		return checkValue(at, t.Elem(), value)
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return checkText(at, t, value)
	}
	switch t.Kind() {
	case reflect.Struct:
		return checkStruct(at, t, value)
	case reflect.Map:
		return checkMap(at, t, value)
	case reflect.Slice:
		return checkSlice(at, t, value)
	}
	return checkScalar(at, t, value)
}

// checkText is for types that read themselves, such as times and quantities.
func checkText(at path, t reflect.Type, value any) *mismatch {
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, reflect.New(t).Interface())
	}
	if err == nil {
		return nil
	}
	want := "want a valid " + t.Name()
	switch t.Name() {
	case "Time", "MicroTime":
		want = "want a time such as 2000-01-01T00:00:00Z"
	case "Quantity":
		want = "want a quantity such as 10Gi"
	}
	return wrong(at, want, value)
}

func checkStruct(at path, t reflect.Type, value any) *mismatch {
	given, ok := value.(map[string]any)
	if !ok {
		return wrong(at, "want an object", value)
	}
	for n := range t.NumField() {
		f := t.Field(n)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && (name == "" || strings.Contains(options, "inline")) {
			if m := checkStruct(at, f.Type, value); m != nil {
				return m
			}
			continue
		}
		if m := checkValue(at.field(name), f.Type, given[name]); m != nil {
			return m
		}
	}
	return nil
}

func checkMap(at path, t reflect.Type, value any) *mismatch {
	given, ok := value.(map[string]any)
	if !ok {
		return wrong(at, "want an object", value)
	}
	for _, name := range sortedKeys(given) {
		if m := checkValue(at.field(name), t.Elem(), given[name]); m != nil {
			return m
		}
	}
	return nil
}

func checkSlice(at path, t reflect.Type, value any) *mismatch {
	if t.Elem().Kind() == reflect.Uint8 {
		return checkScalar(at, reflect.TypeFor[string](), value)
	}
	given, ok := value.([]any)
	if !ok {
		return wrong(at, "want a list", value)
	}
	for n, v := range given {
		if m := checkValue(at.index(n), t.Elem(), v); m != nil {
			return m
		}
	}
	return nil
}

func checkScalar(at path, t reflect.Type, value any) *mismatch {
	want, ok := "", false
	switch t.Kind() {
	case reflect.String:
		want = "a string"
		_, ok = value.(string)
	case reflect.Bool:
		want = "a boolean"
		_, ok = value.(bool)
	case reflect.Int, reflect.Int32, reflect.Int64:
		want = "a whole number"
		number, _ := value.(json.Number)
		_, err := strconv.ParseInt(number.String(), 10, t.Bits())
		ok = err == nil
	default:
		return nil // the decoder will tell
	}
	if ok {
		return nil
	}
	return wrong(at, "want "+want, value)
}

// wrong says what was found, briefly.
func wrong(at path, want string, value any) *mismatch {
	found := ""
	switch v := value.(type) {
	case map[string]any:
		found = "an object"
	case []any:
		found = "a list"
	case string:
		found = strconv.Quote(shorten(v))
	default:
		found = shorten(fmt.Sprint(v))
	}
	return &mismatch{at, want + ", found " + found}
}

// shorten keeps the beginning of a long value.
func shorten(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "..."
}
