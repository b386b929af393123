module wild/nats-memstore-compact

go 1.23
