// An exporter of what switches count: for a probe it reads three columns of the interface table of a
// switch by SNMP, and answers in the text format of Prometheus. The switch, a process of its own, takes
// half a millisecond for an answer.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gosnmp/gosnmp"

	"wild/service"
)

const (
	late  = 500 * time.Microsecond
	ports = 24
)

// column is one of the interface table, and what it is exported as.
type column struct{ oid, metric, kind string }

var columns = []column{
	{".1.3.6.1.2.1.2.2.1.8", "ifOperStatus", "gauge"},
	{".1.3.6.1.2.1.2.2.1.10", "ifInOctets", "counter"},
	{".1.3.6.1.2.1.2.2.1.16", "ifOutOctets", "counter"},
}

// sample is a value of an interface.
type sample struct {
	port  int
	value uint64
}

// exporter reads switches.
type exporter struct{ port uint16 }

func (e *exporter) read(target, community string) (map[string][]sample, error) {
	client := &gosnmp.GoSNMP{
		Target: target, Port: e.port, Community: community, Version: gosnmp.Version2c,
		Timeout: 2 * time.Second, Retries: 1, MaxOids: gosnmp.MaxOids, MaxRepetitions: 25,
	}
	if err := client.Connect(); err != nil {
		return nil, fmt.Errorf("connect %s: %w", target, err)
	}
	defer client.Conn.Close()
	walk := client.Walk
	if service.After() {
		walk = client.BulkWalk
	}
	out := map[string][]sample{}
	for _, c := range columns {
		err := walk(c.oid, func(u gosnmp.SnmpPDU) error {
			n, err := strconv.Atoi(u.Name[strings.LastIndexByte(u.Name, '.')+1:])
			if err != nil {
				return err
			}
			out[c.metric] = append(out[c.metric], sample{n, gosnmp.ToBigInt(u.Value).Uint64()})
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("walk %s of %s: %w", c.metric, target, err)
		}
	}
	return out, nil
}

// text writes samples as Prometheus reads them.
func text(w io.Writer, rack string, all map[string][]sample) {
	for _, c := range columns {
		fmt.Fprintf(w, "# TYPE %s %s\n", c.metric, c.kind)
		for _, s := range all[c.metric] {
			fmt.Fprintf(w, "%s{rack=%q,port=\"%d\"} %d\n", c.metric, rack, s.port, s.value)
		}
	}
}

func main() {
	if os.Getenv("ROLE") == "switch" {
		agent()
		return
	}
	_, port, err := net.SplitHostPort(service.Beside("switch"))
	if err != nil {
		log.Fatal(err)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		log.Fatal(err)
	}
	e := &exporter{port: uint16(n)}
	http.HandleFunc("/probe", func(w http.ResponseWriter, r *http.Request) {
		all, err := e.read("127.0.0.1", "public")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		text(w, r.URL.Query().Get("rack"), all)
	})
	service.Run(http.DefaultServeMux)
}

// agent answers GETNEXT and GETBULK for the interface table.
func agent() {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		log.Fatal(err)
	}
	var table []gosnmp.SnmpPDU
	for _, c := range append(columns, column{oid: ".1.3.6.1.2.1.2.2.1.22"}) {
		for p := 1; p <= ports; p++ {
			table = append(table, gosnmp.SnmpPDU{Name: fmt.Sprint(c.oid, ".", p), Type: gosnmp.Counter32, Value: uint32(p * len(c.metric) * 1000)})
		}
	}
	go func() {
		b := make([]byte, 4096)
		for {
			n, from, err := conn.ReadFromUDP(b)
			if err != nil {
				return
			}
			packet := append([]byte(nil), b[:n]...)
			go func() {
				time.Sleep(late)
				if out, err := answer(table, packet); err == nil {
					conn.WriteToUDP(out, from)
				}
			}()
		}
	}()
	fmt.Println(conn.LocalAddr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func answer(table []gosnmp.SnmpPDU, packet []byte) ([]byte, error) {
	in, err := (&gosnmp.GoSNMP{Version: gosnmp.Version2c}).SnmpDecodePacket(packet)
	if err != nil {
		return nil, err
	}
	more := 1
	if in.PDUType == gosnmp.GetBulkRequest {
		more = int(in.MaxRepetitions)
	}
	at := 0
	for at < len(table) && !before(in.Variables[0].Name, table[at].Name) {
		at++
	}
	out := &gosnmp.SnmpPacket{Version: gosnmp.Version2c, Community: in.Community, PDUType: gosnmp.GetResponse, RequestID: in.RequestID}
	out.Variables = append(out.Variables, table[at:min(at+more, len(table))]...)
	return out.MarshalMsg()
}

// before reports whether an object comes before another in the order of the numbers.
func before(a, b string) bool {
	x, y := strings.Split(strings.Trim(a, "."), "."), strings.Split(strings.Trim(b, "."), ".")
	for i := range min(len(x), len(y)) {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return m < n
		}
	}
	return len(x) < len(y)
}
