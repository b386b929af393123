module example.com/taken

go 1.22
