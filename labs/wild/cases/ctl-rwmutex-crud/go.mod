module wild/ctl-rwmutex-crud

go 1.23
