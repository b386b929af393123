package evidence

import "testing"

// TestOwner: what a lock belongs to is the receiver's type, else the function, with
// type arguments or without.
func TestOwner(t *testing.T) {
	for function, want := range map[string]string{
		"example.com/m/store.(*Cache).Get":                                 "example.com/m/store.Cache",
		"example.com/m/store.Cache.Get.func1":                              "example.com/m/store.Cache",
		"example.com/m/store.(*Map[go.shape.string,go.shape.[]uint8]).Get": "example.com/m/store.Map",
		"example.com/m/store.(*Map[...]).Get":                              "example.com/m/store.Map",
		"example.com/m/store.Sum[go.shape.int]":                            "example.com/m/store.Sum",
		"main.flush":                                                       "main.flush",
	} {
		if got := owner(function); got != want {
			t.Errorf("%s: %s, want %s", function, got, want)
		}
	}
}
