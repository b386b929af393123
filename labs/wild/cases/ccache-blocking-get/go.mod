module wild/ccache-blocking-get

go 1.23
