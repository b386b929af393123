// Readings of the meters in a plant, which a gateway there gives out over Modbus TCP. The
// gateway, a process of its own, takes 6 ms for an answer and serves many masters at a time.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/simonvetter/modbus"

	"wild/service"
)

const masters = 32

type reading struct {
	Meter   int     `json:"meter"`
	Volts   float64 `json:"volts"`
	Amperes float64 `json:"amperes"`
	Watts   float64 `json:"watts"`
}

// plant holds what is connected to the gateway.
type plant struct {
	clients []*modbus.ModbusClient
	next    atomic.Uint64
}

func (p *plant) read(meter int) (reading, error) {
	client := p.clients[p.next.Add(1)%uint64(len(p.clients))]
	values, err := client.ReadRegisters(uint16(meter)*8, 4, modbus.HOLDING_REGISTER)
	if err != nil {
		return reading{}, err
	}
	volts, amperes := float64(values[0])/10, float64(values[1])/100
	return reading{meter, volts, amperes, volts * amperes}, nil
}

func main() {
	if os.Getenv("ROLE") == "gateway" {
		gateway()
		return
	}
	url := "tcp://" + service.Beside("gateway")
	count := 1
	if service.After() {
		count = masters
	}
	var p plant
	for range count {
		client, err := modbus.NewClient(&modbus.ClientConfiguration{URL: url, Timeout: 5 * time.Second})
		if err != nil {
			log.Fatal(err)
		}
		if err := client.Open(); err != nil {
			log.Fatal(err)
		}
		p.clients = append(p.clients, client)
	}
	http.HandleFunc("/meters/{meter}", func(w http.ResponseWriter, r *http.Request) {
		meter, err := strconv.Atoi(r.PathValue("meter"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		found, err := p.read(meter)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	service.Run(http.DefaultServeMux)
}

// meters answers for the meters behind the gateway.
type meters struct{}

func (meters) HandleHoldingRegisters(req *modbus.HoldingRegistersRequest) ([]uint16, error) {
	time.Sleep(6 * time.Millisecond)
	out := make([]uint16, req.Quantity)
	for i := range out {
		out[i] = 2300 + (req.Addr+uint16(i))%70
	}
	return out, nil
}

func (meters) HandleInputRegisters(*modbus.InputRegistersRequest) ([]uint16, error) {
	return nil, modbus.ErrIllegalFunction
}

func (meters) HandleCoils(*modbus.CoilsRequest) ([]bool, error) {
	return nil, modbus.ErrIllegalFunction
}

func (meters) HandleDiscreteInputs(*modbus.DiscreteInputsRequest) ([]bool, error) {
	return nil, modbus.ErrIllegalFunction
}

func gateway() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	addr := ln.Addr().String()
	ln.Close()
	srv, err := modbus.NewServer(&modbus.ServerConfiguration{
		URL:        "tcp://" + addr,
		Timeout:    time.Minute,
		MaxClients: 2 * masters,
		Logger:     log.New(io.Discard, "", 0),
	}, meters{})
	if err != nil {
		log.Fatal(err)
	}
	if err := srv.Start(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(addr)
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
