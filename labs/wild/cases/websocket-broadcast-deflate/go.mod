module wild/websocket-broadcast-deflate

go 1.23
