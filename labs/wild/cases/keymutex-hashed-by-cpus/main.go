// Transfers between accounts of a bank for clubs: a transfer is put into the ledger, which is another service, and the
// balance here follows. While one of an account is on its way, the next of that account waits.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"k8s.io/utils/keymutex"

	"wild/service"
)

type transfer struct {
	Cents int64  `json:"cents"`
	To    string `json:"to"`
	Text  string `json:"text"`
}

// receipt is what the ledger says.
type receipt struct {
	Entry   int64 `json:"entry"`
	Balance int64 `json:"balance"`
}

// bank has accounts.
type bank struct {
	ledger string
	client *http.Client
	locks  keymutex.KeyMutex

	mu       sync.RWMutex
	balances map[string]int64
}

func open(ledger string) *bank {
	n := 0 // as many as there are processors
	if service.After() {
		n = 4096
	}
	b := &bank{
		ledger: ledger, locks: keymutex.NewHashed(n), balances: map[string]int64{},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
	for i := range 500 {
		b.balances[fmt.Sprintf("club-%03d", i)] = 1 << 40
	}
	return b
}

func (b *bank) balance(account string) (int64, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	cents, ok := b.balances[account]
	return cents, ok
}

var (
	errAccount = errors.New("no such account")
	errFunds   = errors.New("not enough on the account")
)

// pay puts a transfer into the ledger, when the account has that much.
func (b *bank) pay(ctx context.Context, account string, t transfer) (receipt, error) {
	b.locks.LockKey(account)
	defer b.locks.UnlockKey(account)
	cents, ok := b.balance(account)
	if !ok {
		return receipt{}, errAccount
	}
	if cents < t.Cents {
		return receipt{}, errFunds
	}
	entry, err := b.enter(ctx, account, t)
	if err != nil {
		return receipt{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.balances[account] -= t.Cents
	return receipt{entry, b.balances[account]}, nil
}

func (b *bank) enter(ctx context.Context, account string, t transfer) (int64, error) {
	body, err := json.Marshal(map[string]any{"from": account, "transfer": t})
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+b.ledger+"/entries", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	var out struct {
		Entry int64 `json:"entry"`
	}
	return out.Entry, json.Unmarshal(data, &out)
}

func main() {
	if os.Getenv("ROLE") == "ledger" {
		serveLedger()
		return
	}
	b := open(service.Beside("ledger"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /accounts/{account}/transfers", func(w http.ResponseWriter, r *http.Request) {
		var t transfer
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&t); err != nil || t.Cents <= 0 || t.To == "" {
			http.Error(w, "a transfer has cents and a to", http.StatusBadRequest)
			return
		}
		out, err := b.pay(r.Context(), r.PathValue("account"), t)
		switch {
		case errors.Is(err, errAccount):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case errors.Is(err, errFunds):
			http.Error(w, err.Error(), http.StatusConflict)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	mux.HandleFunc("GET /accounts/{account}", func(w http.ResponseWriter, r *http.Request) {
		cents, ok := b.balance(r.PathValue("account"))
		if !ok {
			http.Error(w, errAccount.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"cents":%d}`, cents)
	})
	service.Run(mux)
}

// serveLedger enters what it is sent, in 4 ms.
func serveLedger() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var mu sync.Mutex
	var entries int64
	http.HandleFunc("POST /entries", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(4 * time.Millisecond)
		mu.Lock()
		entries++
		n := entries
		mu.Unlock()
		fmt.Fprintf(w, `{"entry":%d}`, n)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
