package service

import (
	"io"
	"time"
)

// Carry passes on what arrives as late as a link does, and ends when either side does.
func Carry(to io.WriteCloser, from io.Reader, late time.Duration) {
	type part struct {
		data []byte
		due  time.Time
	}
	line := make(chan part, 1<<16)
	go func() {
		defer to.Close()
		for p := range line {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.data); err != nil {
				return
			}
		}
	}()
	defer close(line)
	b := make([]byte, 256<<10)
	for {
		n, err := from.Read(b)
		if n > 0 {
			line <- part{append([]byte(nil), b[:n]...), time.Now().Add(late)}
		}
		if err != nil {
			return
		}
	}
}
