module wild/ctl-reverse-proxy

go 1.23
