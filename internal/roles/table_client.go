package roles

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// poolTable lists waits for one of a bounded number of things, and intended
// waits.
func poolTable() []entry {
	return slices.Concat(
		classed(waitBelow, unpark.WaitPool, "waits for a connection under MaxConnsPerHost, or for a new one to be dialled (net/http/transport.go)",
			"net/http.(*Transport).getConn", "net/http.(*Transport).queueForDial"),
		classed(waitBelow, unpark.WaitPool, "waits for a connection under SetMaxOpenConns (database/sql/sql.go)", "database/sql.(*DB).conn"),
		classed(waitBelow, unpark.WaitPool, "waits for a resource of a bounded pool (pgxpool, puddle)",
			"github.com/jackc/pgx/pgxpool.(*Pool).Acquire", "github.com/jackc/pgx.(*ConnPool)*", "github.com/jackc/puddle.(*Pool)*"),
		classed(waitBelow, unpark.WaitPool, "waits for a turn under PoolSize (go-redis internal/pool, redigo pool.go)",
			"github.com/redis/go-redis/internal/pool.(*ConnPool)*", "github.com/go-redis/redis/internal/pool.(*ConnPool)*",
			"github.com/gomodule/redigo/redis.(*Pool)*"),
		classed(waitBelow, unpark.WaitPool, "checks a connection out (mongo-driver pool.go, fasthttp client.go)",
			"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).checkOut", "github.com/valyala/fasthttp.(*HostClient).acquireConn",
			"github.com/valyala/fasthttp.(*wantConn)*", "github.com/bradfitz/gomemcache/memcache.(*Client).getFreeConn"),
		classed(waitBelow, unpark.WaitPool, "waits for the weight or a slot of a limit the program set (x/sync, ants, pond)",
			"golang.org/x/sync/semaphore.(*Weighted).Acquire", "github.com/panjf2000/ants.(*Pool).Submit", "github.com/panjf2000/ants.(*poolCommon).retrieveWorker",
			"github.com/panjf2000/ants.(*Pool).retrieveWorker", "google.golang.org/grpc/internal/transport.(*http2Client).NewStream"),
		classed(waitBelow, unpark.WaitRateLimit, "waits on purpose (x/time/rate, uber ratelimit, juju ratelimit)",
			"golang.org/x/time/rate.(*Limiter)*", "go.uber.org/ratelimit.*", "github.com/juju/ratelimit.(*Bucket)*",
			"github.com/throttled/throttled*", "github.com/sethvargo/go-limiter*"),
	)
}

// downstreamTable lists clients: below them a request waits for another service's
// answer. A pool row that is further in wins.
func downstreamTable() []entry {
	return slices.Concat(
		classed(waitBelow, unpark.WaitDownstream, "waits for the answer's header or body (net/http/transport.go)",
			"net/http.(*Transport).roundTrip", "net/http.(*persistConn).roundTrip", "net/http.(*bodyEOFSignal)*", "net/http.(*Client).do"),
		classed(waitBelow, unpark.WaitDownstream, "opens a connection or looks a name up (net/dial.go, net/lookup.go)",
			"net.(*Dialer)*", "net.(*sysDialer)*", "net.(*Resolver)*", "crypto/tls.(*Conn).clientHandshake"),
		classed(waitBelow, unpark.WaitDownstream, "waits for the database's answer (database/sql and drivers)",
			"database/sql.*", "github.com/lib/pq.*", "github.com/go-sql-driver/mysql.*", "github.com/jackc/pgx*", "github.com/jackc/pgconn*",
			"github.com/jackc/pgproto3*", "github.com/microsoft/go-mssqldb.*", "github.com/ClickHouse/clickhouse-go*", "github.com/gocql/gocql.*",
			"go.mongodb.org/mongo-driver/*", "go.mongodb.org/mongo-driver.*"),
		classed(waitBelow, unpark.WaitDownstream, "waits for the cache's answer (go-redis, redigo, gomemcache, rueidis)",
			"github.com/redis/go-redis.*", "github.com/redis/go-redis/*", "github.com/go-redis/redis.*", "github.com/go-redis/redis/*",
			"github.com/gomodule/redigo/redis.*", "github.com/bradfitz/gomemcache/memcache.*", "github.com/redis/rueidis*"),
		classed(waitBelow, unpark.WaitDownstream, "waits for the broker's acknowledgement (NATS, Kafka, AMQP clients)",
			"github.com/nats-io/nats.go.*", "github.com/segmentio/kafka-go.*", "github.com/IBM/sarama.*", "github.com/Shopify/sarama.*",
			"github.com/twmb/franz-go/*", "github.com/rabbitmq/amqp091-go.*", "github.com/streadway/amqp.*"),
		classed(waitBelow, unpark.WaitDownstream, "waits for the server's message (grpc/stream.go, grpc/call.go, connect)",
			"google.golang.org/grpc.(*ClientConn)*", "google.golang.org/grpc.(*clientStream)*", "google.golang.org/grpc.(*csAttempt)*", "google.golang.org/grpc.invoke",
			"google.golang.org/grpc.(*pickerWrapper).pick", "connectrpc.com/connect.(*Client)*", "connectrpc.com/connect.(*duplexHTTPCall)*"),
		classed(waitBelow, unpark.WaitDownstream, "waits for the answer (fasthttp client.go, net/rpc/client.go, net/textproto)",
			"github.com/valyala/fasthttp.(*HostClient)*", "github.com/valyala/fasthttp.(*PipelineClient)*", "github.com/valyala/fasthttp.(*Client)*",
			"net/rpc.(*Client)*", "net/smtp.*"),
	)
}

// clientTable lists the goroutines that clients keep for each connection.
func clientTable() []entry {
	return rows(Park, "a client's reader or writer of one connection waits for traffic; the goroutine that asked waits elsewhere",
		"github.com/jackc/pgx/pgconn/internal/bgreader.(*BGReader).bgRead*", "github.com/lib/pq.(*conn).watchCancel.*",
		"github.com/go-sql-driver/mysql.(*mysqlConn).startWatcher.*", "github.com/nats-io/nats.go.(*Conn).readLoop",
		"github.com/nats-io/nats.go.(*Conn).flusher", "github.com/nats-io/nats.go.(*Conn).waitForMsgs",
		"github.com/IBM/sarama.(*Broker).responseReceiver", "github.com/IBM/sarama.(*asyncProducer)*", "github.com/Shopify/sarama.(*Broker).responseReceiver",
		"github.com/twmb/franz-go/pkg/kgo.(*brokerCxn)*", "github.com/twmb/franz-go/pkg/kgo.(*Client).updateMetadataLoop",
		"github.com/rabbitmq/amqp091-go.(*Connection).reader", "github.com/rabbitmq/amqp091-go.(*Connection).heartbeater",
		"github.com/gocql/gocql.(*Conn).serve", "github.com/gocql/gocql.(*Conn).heartBeat", "github.com/valyala/fasthttp.(*pipelineConnClient).init*",
		"github.com/valyala/fasthttp.(*pipelineConnClient).worker*", "github.com/valyala/fasthttp.(*pipelineConnClient).writer",
		"github.com/valyala/fasthttp.(*pipelineConnClient).reader", "github.com/redis/rueidis.(*pipe)._background*", "github.com/redis/rueidis.(*pipe).background*",
		"github.com/segmentio/kafka-go.(*Writer).spawn*", "github.com/segmentio/kafka-go.(*partitionWriter)*", "github.com/segmentio/kafka-go.(*Reader).run")
}

// eventTable lists what waits for events of many sockets: a goroutine there serves none of them.
func eventTable() []entry {
	const why = "waits for events of sockets (epoll_wait(2), kevent(2))"
	return slices.Concat(rows(Park, why, eventCalls()...), rows(Low, why, eventCalls()...))
}

func eventCalls() []string {
	return []string{
		"golang.org/x/sys/unix.EpollWait", "syscall.EpollWait", "golang.org/x/sys/unix.Kevent", "syscall.Kevent",
		"github.com/cloudwego/netpoll.EpollWait", "github.com/cloudwego/netpoll.epollwait*",
	}
}

// frameworkTable lists packages that are never the application, so that their
// frames are passed over when the innermost application frame is sought.
func frameworkTable() []entry {
	return rows(Framework, "a server framework, client, codec or instrument: the line to change is above it",
		"github.com/unpark-go/unpark/probe.*", "github.com/unpark-go/unpark/probe/*",
		"golang.org/x/*", "google.golang.org/grpc*", "google.golang.org/protobuf*", "github.com/golang/protobuf*", "github.com/gogo/protobuf*",
		"connectrpc.com/*", "github.com/grpc-ecosystem/*", "github.com/gin-gonic/*", "github.com/gin-contrib/*", "github.com/labstack/*",
		"github.com/go-chi/*", "github.com/gofiber/*", "github.com/valyala/*", "github.com/gorilla/*", "github.com/julienschmidt/httprouter*",
		"github.com/urfave/negroni*", "github.com/justinas/alice*", "github.com/rs/cors*", "github.com/felixge/httpsnoop*",
		"go.opentelemetry.io/*", "go.opencensus.io/*", "github.com/prometheus/*", "github.com/DataDog/*", "github.com/getsentry/*",
		"go.uber.org/*", "github.com/sirupsen/logrus*", "github.com/rs/zerolog*", "github.com/go-kit/*", "github.com/go-logr/*", "k8s.io/klog*",
		"github.com/jackc/*", "github.com/lib/pq*", "github.com/go-sql-driver/*", "github.com/redis/*", "github.com/go-redis/*", "github.com/gomodule/redigo*",
		"go.mongodb.org/*", "github.com/nats-io/nats.go*", "github.com/segmentio/*", "github.com/IBM/sarama*", "github.com/Shopify/sarama*", "github.com/twmb/franz-go*",
		"gorm.io/*", "github.com/jmoiron/sqlx*", "github.com/aws/*", "cloud.google.com/*", "google.golang.org/api*", "github.com/Azure/*",
		"github.com/spf13/*", "github.com/klauspost/*", "github.com/json-iterator/*", "github.com/bytedance/*", "github.com/goccy/*")
}
