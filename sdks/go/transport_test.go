package paydesk

// The client and the handler against real sockets.

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// serve starts a service whose API answers with a handler.
func serve(t *testing.T, api http.HandlerFunc) (*Client, *int32) {
	t.Helper()
	var tokens int32
	mux := http.NewServeMux()
	mux.HandleFunc("/oauth/token", func(w http.ResponseWriter, _ *http.Request) {
		atomic.AddInt32(&tokens, 1)
		time.Sleep(20 * time.Millisecond)
		_, _ = w.Write([]byte(`{"access_token":"t","token_type":"Bearer","expires_in":3600}`))
	})
	mux.HandleFunc("/", api)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client, err := New(Config{BaseURL: server.URL, ClientID: "c", ClientSecret: "s", MaxAttempts: 1, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return client, &tokens
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", 307) })
	_, err := client.Channels(context.Background())
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != 307 || failure.Code != CodeInvalidResponse {
		t.Error(err)
	}
}

func TestACutAnswerIsANetworkError(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		_, _ = w.Write([]byte(`{"items":[`))
	})
	_, err := client.Channels(context.Background())
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != 0 || failure.Code != CodeNetworkError {
		t.Error(err)
	}
}

func TestAContextEndsACall(t *testing.T) {
	client, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	var told Attempt
	client.sender.env.onAttempt = func(attempt Attempt) { told = attempt }
	_, err := client.Channels(ctx)
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != CodeTimeout || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	// D-921
	if failure.Description != "no answer arrived from "+client.base || told.Code != CodeTimeout || told.RetryIn != nil {
		t.Error(failure.Description, told)
	}
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := client.Channels(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestATextThatIsNoUTF8IsRefused(t *testing.T) { // D-922
	client, tokens := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) })
	const cut = "caf\xc3"
	for _, order := range []CreateOrder{{ExternalReference: cut}, {Description: cut}} {
		if _, err := client.CreateOrder(context.Background(), order); !errors.Is(err, ErrArgument) {
			t.Error(err)
		}
	}
	inputs := CreateCatalogOrder{OtherIpu: map[string]string{"name": cut}}
	if _, err := client.CatalogAs("t").CreateOrder(context.Background(), inputs); !errors.Is(err, ErrArgument) {
		t.Error(err)
	}
	if atomic.LoadInt32(tokens) != 0 {
		t.Error("something was sent")
	}
}

func TestGoroutinesShareAToken(t *testing.T) {
	client, tokens := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"items":[]}`)) })
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := client.Channels(context.Background()); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	if atomic.LoadInt32(tokens) != 1 {
		t.Errorf("%d token requests", *tokens)
	}
}

func TestHandler(t *testing.T) {
	var file struct {
		Vectors []struct{ Scheme, Body string }
	}
	read(t, "notification-requests", &file)
	body, secret := file.Vectors[0].Body, "shop-secret-of-at-least-32-bytes-0001"
	broken := errors.New("disk full")
	var stored []string
	var refused int
	handler := Verifier{Secrets: []string{secret}}.Handler(func(_ context.Context, notification *Notification) error {
		stored = append(stored, notification.ID)
		if len(stored) > 1 {
			return broken
		}
		return nil
	}, func(error) { refused++ })
	post := func(method, text string) int {
		timestamp := strconv.FormatInt(time.Now().Unix(), 10)
		r := httptest.NewRequest(method, "/paydesk", strings.NewReader(text))
		r.Header.Set("X-Service-Event-ID", "ne_01HZX3N9B")
		r.Header.Set("X-Service-Timestamp", timestamp)
		r.Header.Set("X-Service-Signature", SignNotification(secret, timestamp, []byte(body)))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code
	}
	found := []int{post("POST", body), post("POST", body+" "), post("POST", body), post("GET", ""),
		post("POST", strings.Repeat("x", maxBody+1))}
	for i, wanted := range []int{204, 400, 500, 405, 413} {
		if found[i] != wanted {
			t.Errorf("request %d is answered %d instead of %d", i, found[i], wanted)
		}
	}
	if len(stored) != 2 || stored[0] != "ne_01HZX3N9B" || refused != 1 {
		t.Errorf("stored %v, refused %d", stored, refused)
	}
}

// D-1144: a variable that is not set gives no secret.
func TestHandlerSaysThatItHasNoSecret(t *testing.T) {
	var told error
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/paydesk", strings.NewReader("{}"))
	Verifier{Secrets: strings.Fields("")}.Handler(nil, func(err error) { told = err }).ServeHTTP(w, r)
	if w.Code != 500 || !errors.Is(told, ErrArgument) {
		t.Errorf("answered %d, told %v", w.Code, told)
	}
}
