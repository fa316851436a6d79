module paydesk.example/paydesk

go 1.18
