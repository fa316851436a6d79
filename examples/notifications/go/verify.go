package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strconv"
	"time"
)

var unixSeconds = regexp.MustCompile(`^[0-9]{1,12}$`)

// Verify returns the notification in a request, or nil if Paydesk did not send it. header: r.Header.Get; body: the
// raw bytes.
func Verify(header func(string) string, body []byte, secrets []string, now time.Time) map[string]any {
	timestamp := header("X-Service-Timestamp")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || !unixSeconds.MatchString(timestamp) || now.Unix()-at > 300 || at-now.Unix() > 300 {
		return nil
	}
	signed := false
	for _, secret := range secrets {
		if secret == "" {
			continue // anyone can sign with it
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "." + string(body)))
		expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
		signed = hmac.Equal([]byte(expected), []byte(header("X-Service-Signature"))) || signed
	}
	var notification map[string]any
	if !signed || json.Unmarshal(body, &notification) != nil || notification["id"] != header("X-Service-Event-ID") {
		return nil
	}
	return notification
}
