package unpark

import (
	"reflect"
	"strings"
)

// Document returns a copy of a run or comparison as it is written: empty lists
// and maps are not nil, so that it says [] and {} as its schema demands, never
// null.
func Document[T Run | Comparison | Benchmarks | Bisection | Proof](document T) T {
	fill(reflect.ValueOf(&document).Elem())
	return document
}

// fill replaces nil lists and maps below v; what v shares with others is copied
// first.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f, tag := v.Field(i), v.Type().Field(i).Tag.Get("json")
			leftOut := f.IsZero() && (strings.Contains(tag, ",omitempty") || strings.Contains(tag, ",omitzero"))
			if f.CanSet() && tag != "-" && !leftOut {
				fill(f)
			}
		}
	case reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			v.Set(c)
			fill(c.Elem())
		}
	}
}
