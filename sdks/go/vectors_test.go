package paydesk

// Runs the vectors that the SDKs of all languages pass (packages/sdk/vectors) through this one.

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "packages", "sdk", "vectors", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func reasonOf(t *testing.T, err error) string {
	t.Helper()
	var refusal *NotificationError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refusal):
		return refusal.Reason
	}
	t.Fatal(err)
	return ""
}

func TestSignatures(t *testing.T) {
	var file struct {
		Vectors []struct {
			Name, Secret, Timestamp, Body, Signature, Reason string
			EventID                                          string `json:"event_id"`
			Now                                              int64
		}
	}
	read(t, "notification-signatures", &file)
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			header := http.Header{}
			header.Set("X-Service-Event-ID", vector.EventID)
			header.Set("X-Service-Timestamp", vector.Timestamp)
			header.Set("X-Service-Signature", vector.Signature)
			verifier := Verifier{Secrets: []string{vector.Secret}, Now: func() time.Time { return time.Unix(vector.Now, 0) }}
			_, err := verifier.Verify(header, []byte(vector.Body))
			if reason := reasonOf(t, err); reason != vector.Reason {
				t.Errorf("got %q instead of %q", reason, vector.Reason)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	var file struct {
		Vectors []struct {
			Name, Scheme, Body string
			Reason             *string
			Headers            map[string]any
			BodyBase64         string `json:"body_base64"`
			Secrets            []string
			Now                int64
			ToleranceS         int64 `json:"tolerance_s"`
		}
	}
	read(t, "notification-requests", &file)
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			header := http.Header{}
			for name, value := range vector.Headers {
				header[name] = []string{}
				if text, is := value.(string); is {
					header[name] = []string{text}
				} else {
					for _, one := range value.([]any) {
						header[name] = append(header[name], one.(string))
					}
				}
			}
			body := []byte(vector.Body)
			if vector.BodyBase64 != "" {
				body, _ = base64.StdEncoding.DecodeString(vector.BodyBase64)
			}
			verifier := Verifier{vector.Secrets, time.Duration(vector.ToleranceS) * time.Second,
				func() time.Time { return time.Unix(vector.Now, 0) }}
			verify := verifier.Verify
			if vector.Scheme == "standard" {
				verify = verifier.VerifyStandard
			}
			_, err := verify(header, body)
			wanted := ""
			if vector.Reason != nil {
				wanted = *vector.Reason
			}
			if reason := reasonOf(t, err); reason != wanted {
				t.Errorf("got %q instead of %q", reason, wanted)
			}
		})
	}
}

func TestSecretsThatAreNone(t *testing.T) {
	header := http.Header{"X-Service-Event-Id": {"i"}, "X-Service-Timestamp": {"1"}, "X-Service-Signature": {"s"}}
	for _, secrets := range [][]string{nil, {}, {"", "x"}, {"x", ""}} {
		verifier := Verifier{Secrets: secrets, Now: func() time.Time { return time.Unix(1, 0) }}
		if _, err := verifier.Verify(header, nil); !errors.Is(err, ErrArgument) {
			t.Errorf("%q gives %v", secrets, err)
		}
	}
}

func TestAVerifierShowsNoSecret(t *testing.T) {
	verifier := Verifier{Secrets: []string{"never-shown"}}
	if text := fmt.Sprintf("%v %+v %#v", verifier, verifier, &verifier); strings.Contains(text, "never-shown") {
		t.Error(text)
	}
}

func TestAmounts(t *testing.T) {
	var file struct {
		Same    [][3]any
		Invalid []string
	}
	read(t, "amounts", &file)
	for _, one := range file.Same {
		for _, pair := range [][2]any{{one[0], one[1]}, {one[1], one[0]}} {
			same, err := SameAmount(pair[0].(string), pair[1].(string))
			if err != nil || same != one[2] {
				t.Errorf("%v: %v %v", one, same, err)
			}
		}
	}
	for _, text := range file.Invalid {
		for _, pair := range [][2]string{{text, "1"}, {"1", text}} {
			if _, err := SameAmount(pair[0], pair[1]); !errors.Is(err, ErrArgument) {
				t.Errorf("%q is taken for an amount", text)
			}
		}
	}
}

func TestPosting(t *testing.T) {
	var file struct {
		Vectors []struct {
			Name   string
			Stored *struct {
				StatusVersion int64  `json:"status_version"`
				PostedEventID string `json:"posted_event_id"`
			}
			Order    CollectionOrder
			Expected struct {
				ExternalReference string `json:"external_reference"`
				Amount, Currency  string
			}
			AcceptTestMode bool `json:"accept_test_mode"`
			Decision       struct {
				Action      Action
				EventID     string `json:"event_id"`
				Differences []string
			}
		}
	}
	read(t, "posting", &file)
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			var stored *StoredState
			if vector.Stored != nil {
				stored = &StoredState{vector.Stored.StatusVersion, vector.Stored.PostedEventID}
			}
			own := vector.Expected
			expected := Expected{own.ExternalReference, own.Amount, own.Currency, vector.AcceptTestMode}
			decision := DecidePosting(stored, vector.Order.State(), expected)
			if !reflect.DeepEqual(decision, Decision(vector.Decision)) {
				t.Errorf("got %+v instead of %+v", decision, vector.Decision)
			}
		})
	}
}
