package advice

// webAPIs is GraphQL, proxies, and parts of web services that are made at start.
var webAPIs = []Advice{
	{
		ID:       "goproxy-cert-store",
		Title:    "Give goproxy a CertStore: without one it signs a certificate for each connection that it looks into",
		Classes:  []string{"cpu", "alloc", "setup"},
		Culprits: []string{"github.com/elazarl/goproxy/internal/signer.SignHost", "github.com/elazarl/goproxy.TLSConfigFromCA*"},
		When:     "SignHost or crypto/x509.CreateCertificate shows below the proxy.",
		Change:   []string{`proxy := goproxy.NewProxyHttpServer()`, `proxy.CertStore = store // has Fetch(hostname, gen) that keeps what gen made`},
		Risk:     "Bound the store, and renew before certificates expire.",
		Remedy:   Fewer,
		Sources:  []string{"https://github.com/elazarl/goproxy/blob/v1.9.3/proxy.go", "https://github.com/elazarl/goproxy/blob/v1.9.3/https.go"},
	},
	{
		ID:       "x509-create-cache",
		Title:    "Keep certificates that are made on the fly by their host, with one key for all: each one is a key and a signature",
		Classes:  []string{"cpu", "setup", "alloc"},
		Culprits: []string{"crypto/x509.CreateCertificate", "crypto/ecdsa.GenerateKey", "crypto/ed25519.GenerateKey"},
		When:     "They are below GetCertificate or a handler.",
		Change:   []string{`v, err, _ := group.Do(host, func() (any, error) { return sign(host, leafKey) }) // singleflight`, `certs.Add(host, v) // a bounded LRU`},
		Risk:     "Renew before they expire.",
		Remedy:   Fewer,
		Sources:  []string{"https://github.com/elazarl/goproxy/blob/v1.9.3/proxy.go", goSrc + "crypto/x509/x509.go"},
	},
}
