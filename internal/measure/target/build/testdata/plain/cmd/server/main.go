package main

import (
	"fmt"
	"net"
	"net/http"
	"os"

	"example.com/plain/lib"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Println(lib.Greeting)
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = http.Serve(l, http.NotFoundHandler())
}
