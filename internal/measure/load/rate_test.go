package load

import (
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestParseRate(t *testing.T) {
	for in, want := range map[string]unpark.Plan{
		"500/s":          {Mode: unpark.Constant, RateRPS: 500},
		" 500/s ":        {Mode: unpark.Constant, RateRPS: 500},
		"constant:2.5/s": {Mode: unpark.Constant, RateRPS: 2.5},
		"30/m":           {Mode: unpark.Constant, RateRPS: 0.5},
		"30/min":         {Mode: unpark.Constant, RateRPS: 0.5},
		"7200/h":         {Mode: unpark.Constant, RateRPS: 2},
		"poisson:500/s":  {Mode: unpark.Poisson, RateRPS: 500},
		"ramp:10..100/3m": {Mode: unpark.Ramp, Stages: []unpark.Stage{
			{From: 10, To: 100, Duration: 180},
		}},
		"ramp:0..100/3m,100..0/1m30s": {Mode: unpark.Ramp, Stages: []unpark.Stage{
			{From: 0, To: 100, Duration: 180}, {From: 100, To: 0, Duration: 90},
		}},
	} {
		got, err := ParseRate(in)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ParseRate(%q) = %+v, %v; want %+v", in, got, err, want)
		}
	}
}

func TestParseRateErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "empty",
		"0/s":              "above 0",
		"-5/s":             "above 0",
		"500":              "unit is missing",
		"500/":             `unit ""`,
		"500/x":            `unit "x"`,
		"abc/s":            `"abc" is no number`,
		"NaN/s":            "no number",
		"Inf/s":            "no number",
		"1e300/s":          "at most",
		"1e-400/s":         "above 0",
		"burst:5/s":        `"burst"`,
		"poisson:":         "empty",
		"ramp:10-100/3m":   "FROM..TO/DURATION",
		"ramp:10..100":     "FROM..TO/DURATION",
		"ramp:10..x/3m":    `"x" is no number`,
		"ramp:10..100/3":   "no duration",
		"ramp:10..100/0s":  "duration above 0",
		"ramp:10..100/-3m": "duration above 0",
		"ramp:-1..100/3m":  "needs rates from 0",
		"ramp:0..0/3m":     "never leaves rate 0",
		"ramp:1..2/3s,":    "FROM..TO/DURATION",
	} {
		_, err := ParseRate(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseRate(%q): error %v, want it to say %q", in, err, want)
			continue
		}
		for _, part := range []string{"--rate", "500/s", "ramp:10..100/3m"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("ParseRate(%q): error %q does not show %q", in, err, part)
			}
		}
	}
}

// FuzzParseRate checks that whatever is accepted is a plan that can be driven.
func FuzzParseRate(f *testing.F) {
	for _, s := range []string{"500/s", "30/m", "poisson:1e3/s", "ramp:10..100/3m", "ramp:0..1/1ns,1..0/9h", "ramp:", "/", "..", "1/0", "0x1p3/s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plan, err := ParseRate(s)
		if err != nil {
			return
		}
		plan.Requests = []unpark.Request{{URL: "http://127.0.0.1/"}}
		set, err := newSettings(plan)
		if err != nil {
			t.Fatalf("ParseRate(%q) = %+v, which is no plan: %v", s, plan, err)
		}
		for k, at := int64(0), int64(0); k < 50; k++ {
			next := set.pacer.next(k, at)
			if next < at {
				t.Fatalf("%q: arrival %d at %d comes before the one at %d", s, k, next, at)
			}
			at = next
		}
	})
}
