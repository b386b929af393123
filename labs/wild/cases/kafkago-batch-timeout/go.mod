module wild/kafkago-batch-timeout

go 1.26
