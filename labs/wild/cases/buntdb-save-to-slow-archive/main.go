// Lanes of a bowling hall: what is played on each is kept in memory, in buntdb, and each second a snapshot of it goes to
// the archive, a process of its own that takes it slowly.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/buntdb"

	"wild/service"
)

// frame is what was bowled.
type frame struct {
	Player string `json:"player"`
	First  int    `json:"first"`
	Second int    `json:"second"`
	Curve  string `json:"curve,omitempty"` // where the ball rolled
}

// hall has lanes.
type hall struct{ db *buntdb.DB }

const lanes, frames = 1200, 20

func open() (*hall, error) {
	db, err := buntdb.Open(":memory:")
	if err != nil {
		return nil, err
	}
	h := &hall{db}
	for lane := range lanes {
		err := db.Update(func(tx *buntdb.Tx) error {
			for n := range frames {
				f, err := json.Marshal(frame{fmt.Sprintf("player %d", (lane+n)%6), (lane + n) % 8, n % 3, strings.Repeat(string(rune('a'+n)), 320)})
				if err != nil {
					return err
				}
				if _, _, err := tx.Set(key(lane, n), string(f), nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return h, nil
}

func key(lane, n int) string { return fmt.Sprintf("lane:%04d:%02d", lane, n) }

// archived keeps the archive up to date.
func (h *hall) archived(address string) {
	for range time.Tick(time.Second) {
		if err := h.archive(address); err != nil {
			log.Println(err)
		}
	}
}

func (h *hall) archive(address string) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	if !service.After() {
		return h.db.Save(c)
	}
	var snapshot bytes.Buffer
	if err := h.db.Save(&snapshot); err != nil {
		return err
	}
	_, err = snapshot.WriteTo(c)
	return err
}

// bowl writes a frame.
func (h *hall) bowl(lane, n int, f frame) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return h.db.Update(func(tx *buntdb.Tx) error {
		_, _, err := tx.Set(key(lane, n), string(b), nil)
		return err
	})
}

// board is what is shown above a lane.
func (h *hall) board(lane int) (out []json.RawMessage, err error) {
	return out, h.db.View(func(tx *buntdb.Tx) error {
		return tx.AscendRange("", key(lane, 0), key(lane, frames), func(_, value string) bool {
			out = append(out, json.RawMessage(value))
			return true
		})
	})
}

var errLane = errors.New("lanes are 0 to 1199, and frames 0 to 19")

func number(r *http.Request, name string, below int) (int, error) {
	n, err := strconv.Atoi(r.PathValue(name))
	if err != nil || n < 0 || n >= below {
		return 0, errLane
	}
	return n, nil
}

func main() {
	if os.Getenv("ROLE") == "archive" {
		archive()
		return
	}
	h, err := open()
	if err != nil {
		log.Fatal(err)
	}
	go h.archived(service.Beside("archive"))
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /lanes/{lane}/frames/{frame}", func(w http.ResponseWriter, r *http.Request) {
		lane, err := number(r, "lane", lanes)
		n, errFrame := number(r, "frame", frames)
		var f frame
		if err := errors.Join(err, errFrame, json.NewDecoder(io.LimitReader(r.Body, 1<<10)).Decode(&f)); err != nil || f.First+f.Second > 10 {
			http.Error(w, "a frame of a lane has a player, and two throws", http.StatusBadRequest)
			return
		}
		if err := h.bowl(lane, n, f); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /lanes/{lane}", func(w http.ResponseWriter, r *http.Request) {
		lane, err := number(r, "lane", lanes)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		board, err := h.board(lane)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(board)
	})
	service.Run(mux)
}

// archive takes two hundred and fifty kilobytes each 12 ms.
func archive() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			if err := c.(*net.TCPConn).SetReadBuffer(64 << 10); err != nil {
				log.Println(err)
			}
			go func() {
				defer c.Close()
				b := make([]byte, 250<<10)
				for {
					if _, err := io.ReadFull(c, b); err != nil {
						return
					}
					time.Sleep(12 * time.Millisecond)
				}
			}()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
