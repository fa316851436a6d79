package paydesk

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Notification is a verified notification. Store its ID: the same notification can arrive again.
type Notification struct {
	ID         string           `json:"id"`
	Type       string           `json:"type"`
	APIVersion int              `json:"api_version"`
	CreatedAt  time.Time        `json:"created_at"`
	Data       NotificationData `json:"data"`
}

// NotificationData is the order at the time when the notification was generated.
type NotificationData struct {
	OrderNo           string    `json:"order_no"`
	ExternalReference string    `json:"external_reference"`
	PaymentNo         string    `json:"payment_no"`
	Amount            string    `json:"amount"`
	AmountMinor       int64     `json:"amount_minor"`
	Currency          string    `json:"currency"`
	CurrencyDecimals  int64     `json:"currency_decimals"`
	Status            string    `json:"status"`
	StatusVersion     int64     `json:"status_version"`
	TestMode          bool      `json:"test_mode"`
	ExpiresAt         time.Time `json:"expires_at"`
	// EventID is the confirmed payment: post once per event. It differs from the notification's ID.
	EventID         string     `json:"event_id,omitempty"`
	ProviderTradeNo string     `json:"provider_trade_no,omitempty"`
	OccurredAt      *time.Time `json:"occurred_at,omitempty"`
}

// State is what DecidePosting needs.
func (d *NotificationData) State() OrderState {
	return OrderState{d.ExternalReference, d.Amount, d.Currency, d.Status, d.StatusVersion, d.TestMode, d.EventID}
}

// Reasons of a NotificationError.
const (
	ReasonMissingHeader = "missing_header"
	ReasonStale         = "stale"
	ReasonBadSignature  = "bad_signature"
	ReasonMalformed     = "malformed"
)

// NotificationError says that a request is no notification of the service. Detail is for your log and contains nothing of
// the request.
type NotificationError struct {
	Reason string
	Detail string
}

func (e *NotificationError) Error() string { return "paydesk: " + e.Reason + ": " + e.Detail }

// Verifier verifies notifications.
type Verifier struct {
	// Secrets are all signing secrets in use: orders keep the key that they were created with.
	Secrets []string
	// Tolerance is the most that the timestamp may differ from now; by default 5 minutes.
	Tolerance time.Duration
	// Now is by default time.Now.
	Now func() time.Time
}

// String says nothing of the secrets.
func (v Verifier) String() string {
	return "paydesk.Verifier with " + strconv.Itoa(len(v.Secrets)) + " secrets"
}

// GoString says nothing of the secrets.
func (v Verifier) GoString() string { return v.String() }

type headerNames struct{ id, timestamp, signature string }

type message struct {
	id, timestamp, signature string
	body                     []byte
}

// Verify gives the notification in a request, if the service has sent it. body is the raw bytes: JSON that was parsed and
// written again does not verify. The error is a *NotificationError for any other request, and wraps ErrArgument without a
// usable secret: with an empty key anyone could sign.
func (v Verifier) Verify(header http.Header, body []byte) (*Notification, error) {
	names := headerNames{"X-Service-Event-Id", "X-Service-Timestamp", "X-Service-Signature"}
	return v.verify(header, body, names, func(secret string, m message) string {
		return SignNotification(secret, m.timestamp, m.body)
	})
}

// VerifyStandard is the same by the headers of Standard Webhooks, for a place behind a gateway that drops X- headers.
func (v Verifier) VerifyStandard(header http.Header, body []byte) (*Notification, error) {
	names := headerNames{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"}
	return v.verify(header, body, names, func(secret string, m message) string {
		mac := hmac.New(sha256.New, standardKey(secret))
		mac.Write([]byte(m.id + "." + m.timestamp + "."))
		mac.Write(m.body)
		return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	})
}

// SignNotification gives the value of X-Service-Signature, for tests of your receiver.
func SignNotification(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

var unixSeconds = regexp.MustCompile(`^[0-9]{1,12}\z`)

func (v Verifier) verify(header http.Header, body []byte, names headerNames,
	sign func(secret string, m message) string) (*Notification, error) {
	if len(v.Secrets) == 0 {
		return nil, argumentError("a verifier needs at least one secret")
	}
	m := message{body: body}
	for _, one := range []struct {
		name  string
		value *string
	}{{names.id, &m.id}, {names.timestamp, &m.timestamp}, {names.signature, &m.signature}} {
		if *one.value = single(header, one.name); *one.value == "" {
			return nil, &NotificationError{ReasonMissingHeader, one.name}
		}
	}
	if !unixSeconds.MatchString(m.timestamp) {
		return nil, &NotificationError{ReasonMalformed, "the timestamp is not in Unix seconds"}
	}
	if v.isStale(m.timestamp) {
		return nil, &NotificationError{ReasonStale, "the timestamp is too far from now"}
	}
	// No early exit, so that the duration does not reveal which secret matched.
	signed := false
	for _, secret := range v.Secrets {
		if secret == "" {
			return nil, argumentError("a secret must not be empty")
		}
		possible := []byte(sign(secret, m))
		for _, given := range signaturesIn(m.signature, names) {
			signed = hmac.Equal(possible, []byte(given)) || signed
		}
	}
	if !signed {
		return nil, &NotificationError{ReasonBadSignature, "no secret gives this signature"}
	}
	notification := parseNotification(body)
	if notification == nil {
		return nil, &NotificationError{ReasonMalformed, "the signed body is not a status notification"}
	}
	if notification.ID != m.id {
		return nil, &NotificationError{ReasonMalformed, names.id + " differs from the id in the body"}
	}
	return notification, nil
}

func (v Verifier) isStale(timestamp string) bool {
	now := time.Now
	if v.Now != nil {
		now = v.Now
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	distance := now().Sub(time.Unix(seconds, 0))
	if distance < 0 {
		distance = -distance
	}
	return distance > orElse(v.Tolerance, 5*time.Minute)
}

// single gives the one value of a header, in any case of its name. It is empty if the header is absent or repeated.
func single(header http.Header, name string) string {
	var values []string
	for key, found := range header {
		if textproto.CanonicalMIMEHeaderKey(key) == name {
			values = append(values, found...)
		}
	}
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// signaturesIn: the header of Standard Webhooks may have several, separated by spaces.
func signaturesIn(header string, names headerNames) []string {
	if names.id == "Webhook-Id" {
		return strings.Split(header, " ")
	}
	return []string{header}
}

// standardKey is the key as the libraries of Standard Webhooks read it. A text that is no base64 is a secret like any other.
func standardKey(secret string) []byte {
	if encoded := strings.TrimPrefix(secret, "whsec_"); encoded != secret {
		decoded, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if err == nil && len(decoded) > 0 && base64.StdEncoding.EncodeToString(decoded) == encoded {
			return decoded
		}
	}
	return []byte(secret)
}

const maxSafeInteger = 1<<53 - 1

// parseNotification is nil for a body that is no status notification.
func parseNotification(body []byte) *Notification {
	var envelope, data map[string]json.RawMessage
	notification := &Notification{}
	fits := utf8.Valid(body) &&
		json.Unmarshal(body, &envelope) == nil &&
		hasAll(envelope, "id", "type", "api_version", "created_at", "data") &&
		json.Unmarshal(envelope["data"], &data) == nil &&
		hasAll(data, "order_no", "external_reference", "payment_no", "amount", "amount_minor", "currency",
			"currency_decimals", "status", "status_version", "test_mode", "expires_at") &&
		json.Unmarshal(body, notification) == nil &&
		notification.Type == "merchant_payment.status_changed" && notification.APIVersion == 1
	if !fits {
		return nil
	}
	found := notification.Data
	for _, whole := range []int64{found.AmountMinor, found.CurrencyDecimals, found.StatusVersion} {
		if whole > maxSafeInteger || whole < -maxSafeInteger {
			return nil
		}
	}
	// A payment is posted under its event, so a paid notification without an event is invalid.
	if IsPaid(found.Status) && found.EventID == "" {
		return nil
	}
	return notification
}

func hasAll(members map[string]json.RawMessage, names ...string) bool {
	for _, name := range names {
		if value, has := members[name]; !has || bytes.Equal(value, []byte("null")) {
			return false
		}
	}
	return true
}

const maxBody = 1 << 16

// Handler receives notifications on one route of your server. store keeps the notification durably, within 8 seconds, and
// does the work afterwards; it must be harmless when repeated. The handler answers 204 after it, 400 to what is no
// notification, and 500 if store fails, so that the service sends the notification again. refused may be nil; it is told of
// what is no notification, and of a verifier without a usable secret, which answers 500, for a log.
func (v Verifier) Handler(store func(context.Context, *Notification) error, refused func(error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		notification, err := v.Verify(r.Header, body)
		if err != nil && refused != nil {
			refused(err)
		}
		var refusal *NotificationError
		switch {
		case errors.As(err, &refusal):
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"`+refusal.Reason+`"}`)
		case err != nil || store(r.Context(), notification) != nil:
			w.WriteHeader(http.StatusInternalServerError)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
}
