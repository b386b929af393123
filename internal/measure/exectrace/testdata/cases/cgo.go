//go:build cgo

package main

/*
#include <unistd.h>
static void nap(unsigned int us) { usleep(us); }
*/
import "C"

import "time"

var cgoSleep = sleepInC

func sleepInC(d time.Duration) { C.nap(C.uint(d.Microseconds())) }
