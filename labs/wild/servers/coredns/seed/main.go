// Command seed writes a hosts file of 10000 names, a zone, a key to sign it with, and the two
// questions of the loads in DNS's wire format. {{uuid}} in the second is filled in by the load.
package main

import (
	"crypto"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/miekg/dns"
)

func main() {
	dir := os.Args[1]
	var hosts strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&hosts, "10.1.%d.%d host-%d.hosts.test\n", i/250, i%250+1, i)
	}
	write(dir, "hosts", hosts.String())

	write(dir, "zone", `$ORIGIN signed.test.
$TTL 3600
@    IN SOA ns admin 1 7200 3600 1209600 3600
@    IN NS  ns
ns   IN A   127.0.0.1
www  IN A   10.0.0.1
`)

	key := &dns.DNSKEY{
		Hdr:   dns.RR_Header{Name: "signed.test.", Rrtype: dns.TypeDNSKEY, Class: dns.ClassINET, Ttl: 3600},
		Flags: 257, Protocol: 3, Algorithm: dns.ECDSAP256SHA256,
	}
	var private crypto.PrivateKey
	private, err := key.Generate(256)
	check(err)
	write(dir, "key.key", key.String()+"\n")
	write(dir, "key.private", key.PrivateKeyString(private))

	question(dir, "known.dns", "host-4711.hosts.test.", false)
	question(dir, "unknown.dns", strings.Repeat("x", 36)+".signed.test.", true)
}

// question writes a query; a label of 36 times x is left to the load, as a template.
func question(dir, file, name string, signed bool) {
	m := new(dns.Msg)
	m.SetQuestion(name, dns.TypeA)
	m.Id = 0
	if signed {
		m.SetEdns0(4096, true)
	}
	wire, err := m.Pack()
	check(err)
	write(dir, file, strings.Replace(string(wire), strings.Repeat("x", 36), "{{uuid}}", 1))
}

func write(dir, name, text string) {
	check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
