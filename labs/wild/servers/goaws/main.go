// Command goaws is GoAws: the queues and topics of a cloud, in memory.
package main

import (
	"flag"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/Admiral-Piett/goaws/app/conf"
	"github.com/Admiral-Piett/goaws/app/gosqs"
	"github.com/Admiral-Piett/goaws/app/router"
	"github.com/sirupsen/logrus"
)

func main() {
	address := flag.String("addr", "127.0.0.1:4100", "address of the HTTP interface")
	config := flag.String("config", "goaws.yaml", "configuration file")
	flag.Parse()
	logrus.SetFormatter(&logrus.JSONFormatter{})
	logrus.SetOutput(os.Stdout)

	conf.LoadYamlConfig(*config, "Local")
	go gosqs.PeriodicTasks(time.Second, make(chan struct{}))
	log.Fatal(http.ListenAndServe(*address, router.New()))
}
