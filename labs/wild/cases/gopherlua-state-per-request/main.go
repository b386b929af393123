// Pricing rules in Lua: each request runs the rule on an order.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"wild/service"
)

const rule = `
function price(amount, count)
  local p = amount * count
  if count > 10 then p = p * 0.9 end
  if p > 500 then p = p - 25 end
  return p
end
`

func main() {
	chunk, err := parse.Parse(strings.NewReader(rule), "rule")
	if err != nil {
		log.Fatal(err)
	}
	proto, err := lua.Compile(chunk, "rule")
	if err != nil {
		log.Fatal(err)
	}
	newState := func() *lua.LState {
		l := lua.NewState()
		l.Push(l.NewFunctionFromProto(proto))
		if err := l.PCall(0, 0, nil); err != nil {
			log.Fatal(err)
		}
		return l
	}
	get, put := newState, (*lua.LState).Close
	if service.After() {
		pool := sync.Pool{New: func() any { return newState() }}
		get = func() *lua.LState { return pool.Get().(*lua.LState) }
		put = func(l *lua.LState) { pool.Put(l) }
	}

	var seq atomic.Int64
	http.HandleFunc("/price", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		l := get()
		defer put(l)
		err := l.CallByParam(lua.P{Fn: l.GetGlobal("price"), NRet: 1, Protect: true}, lua.LNumber(n%100), lua.LNumber(n%20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		p, _ := strconv.ParseFloat(l.Get(-1).String(), 64)
		l.Pop(1)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]float64{"price": p})
	})
	service.Run(http.DefaultServeMux)
}
