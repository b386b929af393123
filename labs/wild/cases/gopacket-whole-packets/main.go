// Flows of captures: routers leave what they saw on a link, and a request asks which hosts talked over a port,
// and how much. The captures are kept in memory for as long as an incident is looked into.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"wild/service"
)

// flow is what went from one host to another.
type flow struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Packets int    `json:"packets"`
	Bytes   int    `json:"bytes"`
}

// flows add up by the hosts.
type flows map[[8]byte]*flow

func (f flows) add(ip *layers.IPv4, size int) {
	var key [8]byte
	copy(key[:4], ip.SrcIP.To4())
	copy(key[4:], ip.DstIP.To4())
	have, ok := f[key]
	if !ok {
		have = &flow{From: ip.SrcIP.String(), To: ip.DstIP.String()}
		f[key] = have
	}
	have.Packets++
	have.Bytes += size
}

// whole looks at each packet with all of its layers.
func whole(r *pcapgo.Reader, port layers.TCPPort, into flows) error {
	for {
		data, _, err := r.ZeroCopyReadPacketData()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		p := gopacket.NewPacket(data, layers.LayerTypeEthernet, gopacket.Default)
		ip, _ := p.Layer(layers.LayerTypeIPv4).(*layers.IPv4)
		tcp, _ := p.Layer(layers.LayerTypeTCP).(*layers.TCP)
		if ip != nil && tcp != nil && (tcp.SrcPort == port || tcp.DstPort == port) {
			into.add(ip, len(tcp.Payload))
		}
	}
}

// headers decodes into the same headers again and again.
func headers(r *pcapgo.Reader, port layers.TCPPort, into flows) error {
	var eth layers.Ethernet
	var ip layers.IPv4
	var tcp layers.TCP
	parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &eth, &ip, &tcp)
	parser.IgnoreUnsupported = true
	var found []gopacket.LayerType
	for {
		data, _, err := r.ZeroCopyReadPacketData()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := parser.DecodeLayers(data, &found); err != nil || len(found) < 3 {
			continue
		}
		if tcp.SrcPort == port || tcp.DstPort == port {
			into.add(&ip, len(tcp.Payload))
		}
	}
}

type captures map[string][]byte

func (c captures) talkers(name string, port int) ([]*flow, error) {
	capture, ok := c[name]
	if !ok {
		return nil, fmt.Errorf("no capture %q", name)
	}
	r, err := pcapgo.NewReader(bytes.NewReader(capture))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	sum, read := flows{}, whole
	if service.After() {
		read = headers
	}
	if err := read(r, layers.TCPPort(port), sum); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out := make([]*flow, 0, len(sum))
	for _, f := range sum {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *flow) int {
		return cmp.Or(b.Bytes-a.Bytes, cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return out[:min(20, len(out))], nil
}

func main() {
	all := captures{}
	for i, name := range []string{"edge-1", "edge-2", "core"} {
		capture, err := record(int64(i), 250+100*i)
		if err != nil {
			log.Fatal(err)
		}
		all[name] = capture
	}
	http.HandleFunc("GET /captures/{name}/talkers", func(w http.ResponseWriter, r *http.Request) {
		port, err := strconv.Atoi(r.URL.Query().Get("port"))
		if err != nil || port < 1 || port > 65535 {
			http.Error(w, "port is 1 to 65535", http.StatusBadRequest)
			return
		}
		out, err := all.talkers(r.PathValue("name"), port)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}

// record writes a capture of some hosts and ports: TCP mostly, and DNS between.
func record(seed int64, packets int) ([]byte, error) {
	var file bytes.Buffer
	w := pcapgo.NewWriter(&file)
	if err := w.WriteFileHeader(65536, layers.LinkTypeEthernet); err != nil {
		return nil, err
	}
	ports := []layers.TCPPort{443, 443, 80, 5432, 443, 6379}
	for i := range packets {
		k := i*2654435761 + int(seed)*97
		eth := &layers.Ethernet{SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}, EthernetType: layers.EthernetTypeIPv4}
		ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: net.IPv4(10, 0, byte(k>>8%4), byte(k%40)), DstIP: net.IPv4(10, 1, 0, byte(k>>16%12))}
		payload := gopacket.Payload(bytes.Repeat([]byte{byte(k)}, 40+k>>4%900))
		all := []gopacket.SerializableLayer{eth, ip, nil, payload}
		if i%9 == 0 {
			ip.Protocol = layers.IPProtocolUDP
			udp := &layers.UDP{SrcPort: layers.UDPPort(40000 + k%2000), DstPort: 4789 + 1}
			udp.SetNetworkLayerForChecksum(ip)
			all[2] = udp
		} else {
			tcp := &layers.TCP{SrcPort: layers.TCPPort(32768 + k%20000), DstPort: ports[i%len(ports)], ACK: true, PSH: true, Seq: uint32(k), Window: 512}
			tcp.SetNetworkLayerForChecksum(ip)
			all[2] = tcp
		}
		b := gopacket.NewSerializeBuffer()
		if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, all...); err != nil {
			return nil, err
		}
		info := gopacket.CaptureInfo{Timestamp: time.Unix(1790000000+int64(i), 0), CaptureLength: len(b.Bytes()), Length: len(b.Bytes())}
		if err := w.WritePacket(info, b.Bytes()); err != nil {
			return nil, err
		}
	}
	return file.Bytes(), nil
}
