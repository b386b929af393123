module wild/dns-newrr-lexer

go 1.23
