module wild/ctl-chi-zap-prometheus

go 1.23
