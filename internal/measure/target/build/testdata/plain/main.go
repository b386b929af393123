package main

import "example.com/plain/lib"

func main() { println(lib.Greeting) }
