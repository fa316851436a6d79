// Runs verify.go over test vectors: go run verify.go check.go < notification-signatures.json
// Prints true or false for each vector.
package main

import (
	"encoding/json"
	"os"
	"time"
)

type vector struct {
	EventID   string `json:"event_id"`
	Timestamp string `json:"timestamp"`
	Signature string `json:"signature"`
	Body      string `json:"body"`
	Secret    string `json:"secret"`
	Now       int64  `json:"now"`
}

func main() {
	var file struct{ Vectors []vector }
	if err := json.NewDecoder(os.Stdin).Decode(&file); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, v := range file.Vectors {
		headers := map[string]string{
			"X-Service-Event-ID":  v.EventID,
			"X-Service-Timestamp": v.Timestamp,
			"X-Service-Signature": v.Signature,
		}
		header := func(name string) string { return headers[name] }
		secrets := []string{"of an older order, long since done", v.Secret}
		verdicts = append(verdicts, Verify(header, []byte(v.Body), secrets, time.Unix(v.Now, 0)) != nil)
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
