// Prices of an exchange office: what a currency costs now is asked of a market, a process elsewhere, by messages over a WebSocket; it takes
// 2 ms for an answer, and answers one link's questions in turn.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"wild/service"
)

// link is a connection to the market, which is asked by one at a time.
type link struct {
	mu   sync.Mutex
	conn net.Conn
}

// ask has a question answered.
func (l *link) ask(question string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := wsutil.WriteClientText(l.conn, []byte(question)); err != nil {
		return "", err
	}
	answer, err := wsutil.ReadServerText(l.conn)
	return string(answer), err
}

// office has links.
type office struct {
	links []*link
	asked atomic.Uint64
}

func open(ctx context.Context, address string) (*office, error) {
	count := 1
	if service.After() {
		count = 32
	}
	o := &office{}
	for range count {
		conn, _, _, err := ws.Dial(ctx, "ws://"+address)
		if err != nil {
			return nil, err
		}
		o.links = append(o.links, &link{conn: conn})
	}
	return o, nil
}

// price asks by the next link.
func (o *office) price(currency string) (float64, error) {
	l := o.links[o.asked.Add(1)%uint64(len(o.links))]
	said, err := l.ask(currency)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(said, 64)
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	price, err := o.price(r.PathValue("currency"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"currency": r.PathValue("currency"), "buy": price * 0.98, "sell": price * 1.02})
}

func main() {
	if os.Getenv("ROLE") == "market" {
		serveMarket()
		return
	}
	o, err := open(context.Background(), service.Beside("market"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /prices/{currency}", o.serve)
	service.Run(mux)
}

// serveMarket answers each link's questions, 2 ms later.
func serveMarket() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, _, err := ws.UpgradeHTTP(r, w)
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			for {
				asked, err := wsutil.ReadClientText(conn)
				if err != nil {
					return
				}
				time.Sleep(2 * time.Millisecond)
				price := 1.0
				for _, c := range asked {
					price += float64(c%13) / 10
				}
				if err := wsutil.WriteServerText(conn, strconv.AppendFloat(nil, price, 'f', 4, 64)); err != nil {
					return
				}
			}
		}()
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
