// Accounts of a month, summed up from lists of bookings, one a line. The lines come from a reader
// that may be slow one day, which is why none is waited for longer than 200 ms.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"wild/service"
)

const (
	lines = 400
	late  = 200 * time.Millisecond
)

var errLate = errors.New("the list does not come")

// wait says how the next line is waited for.
type wait func(<-chan string) (string, bool, error)

func main() {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%d;%d\n", 4000+i%12, i*37%900+5)
	}
	list := b.String()
	http.HandleFunc("/month", func(w http.ResponseWriter, r *http.Request) {
		sums, err := sum(read(list))
		if err != nil {
			http.Error(w, err.Error(), http.StatusGatewayTimeout)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(sums)
	})
	service.Run(http.DefaultServeMux)
}

func read(list string) <-chan string {
	out := make(chan string, 128)
	go func() {
		defer close(out)
		s := bufio.NewScanner(strings.NewReader(list))
		for s.Scan() {
			out <- s.Text()
		}
	}()
	return out
}

func sum(list <-chan string) (map[string]int, error) {
	next := each
	if service.After() {
		timer := time.NewTimer(late)
		defer timer.Stop()
		next = one(timer)
	}
	sums := make(map[string]int)
	for {
		line, ok, err := next(list)
		if err != nil {
			return nil, err
		}
		if !ok {
			return sums, nil
		}
		account, cents, _ := strings.Cut(line, ";")
		n, err := strconv.Atoi(cents)
		if err != nil {
			return nil, err
		}
		sums[account] += n
	}
}

func each(list <-chan string) (string, bool, error) {
	select {
	case line, ok := <-list:
		return line, ok, nil
	case <-time.After(late):
		return "", false, errLate
	}
}

func one(timer *time.Timer) wait {
	return func(list <-chan string) (string, bool, error) {
		timer.Reset(late)
		select {
		case line, ok := <-list:
			return line, ok, nil
		case <-timer.C:
			return "", false, errLate
		}
	}
}
