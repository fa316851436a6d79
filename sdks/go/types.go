package paydesk

import (
	"encoding/json"
	"time"
)

// The known statuses of a collection order. A status of a later version is passed on and never counts as paid.
const (
	StatusPending    = "pending"
	StatusPaid       = "paid"
	StatusReview     = "review"
	StatusExpired    = "expired"
	StatusRefunded   = "refunded"
	StatusChargeback = "chargeback"
)

// CreateOrder is the request that creates a collection order. Empty members are left out.
type CreateOrder struct {
	ExternalReference string `json:"external_reference"`
	// IdempotencyKey is your key. Store it with your own order before the call, so that every retry uses the same one.
	IdempotencyKey string `json:"idempotency_key"`
	// Amount is a decimal string.
	Amount string `json:"amount,omitempty"`
	// AmountMinor replaces Amount in older integrations.
	AmountMinor int64  `json:"amount_minor,omitempty"`
	Currency    string `json:"currency"`
	PaymentNo   string `json:"payment_no,omitempty"`
	Description string `json:"description,omitempty"`
	// ExpiresIn is the lifetime in seconds: 60 to 7200.
	ExpiresIn     int    `json:"expires_in,omitempty"`
	NotifyEnabled *bool  `json:"notify_enabled,omitempty"`
	NotifyURL     string `json:"notify_url,omitempty"`
	NotifySecret  string `json:"notify_secret,omitempty"`
	ReturnURL     string `json:"return_url,omitempty"`
}

// CreatedOrder is the answer to a creation.
type CreatedOrder struct {
	OrderNo           string `json:"order_no"`
	ExternalReference string `json:"external_reference"`
	// PaymentNo is empty until a channel is selected.
	PaymentNo string `json:"payment_no"`
	// Amount is the invoice amount with the decimals of its currency. Compare it with SameAmount, with the currency.
	Amount           string `json:"amount"`
	AmountMinor      int64  `json:"amount_minor"`
	Currency         string `json:"currency"`
	CurrencyDecimals int    `json:"currency_decimals"`
	Status           string `json:"status"`
	TestMode         bool   `json:"test_mode"`
	// CheckoutURL is for the buyer's browser. Its query contains a token: never log it. It is no proof of payment.
	CheckoutURL string    `json:"checkout_url"`
	ReturnURL   string    `json:"return_url,omitempty"`
	ExpiresAt   time.Time `json:"expires_at"`
}

// CollectionOrder is a collection order as read and list return it.
type CollectionOrder struct {
	CreatedOrder
	// StatusVersion rises with each status change of this order. Do not compare it between orders.
	StatusVersion int64 `json:"status_version"`
	// EventID is the confirmed payment; empty if there is none. Post once per event.
	EventID         string `json:"event_id,omitempty"`
	ProviderTradeNo string `json:"provider_trade_no,omitempty"`
	// OccurredAt is the time when the payment was confirmed, in the channel's time zone.
	OccurredAt      *time.Time `json:"occurred_at"`
	FeeStatus       string     `json:"fee_status"`
	FeeVersion      int64      `json:"fee_version"`
	PaymentAmount   string     `json:"payment_amount,omitempty"`
	PaymentCurrency string     `json:"payment_currency,omitempty"`
	BuyerFee        string     `json:"buyer_fee,omitempty"`
	MerchantFee     string     `json:"merchant_fee,omitempty"`
	// SettlementPTK and the others with PTK are whole numbers of the eighth decimal, as text.
	SettlementPTK      string `json:"settlement_ptk,omitempty"`
	MerchantFeePTK     string `json:"merchant_fee_ptk"`
	GrossSettlementPTK string `json:"gross_settlement_ptk"`
}

// State is what DecidePosting needs.
func (o *CollectionOrder) State() OrderState {
	return OrderState{o.ExternalReference, o.Amount, o.Currency, o.Status, o.StatusVersion, o.TestMode, o.EventID}
}

// OrderFilter selects the orders of a reference or a number; with both, both must match.
type OrderFilter struct {
	ExternalReference string
	OrderNo           string
	// Limit is 1 to 100; 0 means 20.
	Limit int
}

// OrderRange selects orders by the time of their creation.
type OrderRange struct {
	// CreatedFrom is inclusive; zero means all.
	CreatedFrom time.Time
	// CreatedTo is exclusive; zero means all.
	CreatedTo time.Time
	// PageSize is 1 to 100; 0 means 100.
	PageSize int
}

// PaymentChannel is a channel that an order can be restricted to.
type PaymentChannel struct {
	PaymentNo     string `json:"payment_no"`
	Name          string `json:"name"`
	Provider      string `json:"provider"`
	Owner         string `json:"owner"`
	Currency      string `json:"currency"`
	LoginRequired bool   `json:"login_required"`
	TestMode      bool   `json:"test_mode"`
}

// DeliveryRecord is a notification and its delivery.
type DeliveryRecord struct {
	EventID       string          `json:"event_id"`
	StatusVersion int64           `json:"status_version"`
	Event         json.RawMessage `json:"event"`
	// DeliveryStatus is pending, delivered or failed.
	DeliveryStatus string     `json:"delivery_status"`
	Attempts       int        `json:"attempts"`
	NextAttemptAt  *time.Time `json:"next_attempt_at"`
	LastHTTPStatus *int       `json:"last_http_status"`
	LastError      *string    `json:"last_error"`
	// DeliveryAttempts are the latest ones. Without finished_at an attempt was interrupted, or it still runs.
	DeliveryAttempts []json.RawMessage `json:"delivery_attempts"`
}

// MerchantProfile is the public profile of a merchant. A member is empty if the merchant has not set it.
type MerchantProfile struct {
	MerchantNo       string `json:"merchant_no"`
	Name             string `json:"name"`
	LogoURL          string `json:"logo_url"`
	ShortDescription string `json:"short_description"`
	Description      string `json:"description"`
	BusinessScope    string `json:"business_scope"`
	WebsiteURL       string `json:"website_url"`
	Contact          string `json:"contact"`
}

// Product is for sale. Prices are whole numbers: the price in Currency, times 10^8.
type Product struct {
	GdNo          string `json:"gd_no"`
	GdName        string `json:"gd_name"`
	GdDescription string `json:"gd_description"`
	ActualPrice   int64  `json:"actual_price"`
	RetailPrice   int64  `json:"retail_price"`
	Currency      string `json:"currency"`
	// CurrencyDecimals is for display; it does not scale the prices.
	CurrencyDecimals int   `json:"currency_decimals"`
	InStock          int64 `json:"in_stock"`
	// BuyLimitNum is the most that one order may have; 0 means no limit.
	BuyLimitNum    int64    `json:"buy_limit_num"`
	PaymentPolicy  string   `json:"payment_policy"`
	PaymentMethods []string `json:"payment_methods,omitempty"`
	// OtherIpuCnf are inputs that the buyer can or must give: key=label=required.
	OtherIpuCnf       []string `json:"other_ipu_cnf,omitempty"`
	WholesalePriceCnf []string `json:"wholesale_price_cnf,omitempty"`
	BuyPrompt         string   `json:"buy_prompt,omitempty"`
}

// ProductFilter selects products.
type ProductFilter struct {
	GdNo        string
	SearchValue string
	// Page begins with 1. Products reads all pages and ignores it.
	Page int
	// Limit is the products on a page: 1 to 100; 0 means 20, or 100 where all are read.
	Limit int
}

// ProductPage is one page of products. Total counts the matching products on all pages.
type ProductPage struct {
	List  []Product `json:"list"`
	Total int       `json:"total"`
	Page  int       `json:"page"`
	Limit int       `json:"limit"`
}

// CreateCatalogOrder is the request that orders a product.
type CreateCatalogOrder struct {
	GdNo      string            `json:"gd_no"`
	Quantity  int64             `json:"quantity"`
	PaymentNo string            `json:"payment_no"`
	OtherIpu  map[string]string `json:"other_ipu,omitempty"`
}

// CatalogOrder is an order of the person whose token was used. Amounts are whole numbers, times 10^8.
type CatalogOrder struct {
	OrderNo  string `json:"order_no"`
	GdNo     string `json:"gd_no"`
	Title    string `json:"title"`
	Quantity int64  `json:"quantity"`
	// Status is 0: pending payment; 1: paid and in processing; 2: cancelled; 3: completed.
	Status                  int      `json:"status"`
	StatusLabel             string   `json:"status_label"`
	Currency                string   `json:"currency"`
	CurrencyDecimals        int      `json:"currency_decimals"`
	TotalAmount             int64    `json:"total_amount"`
	DiscountAmount          int64    `json:"discount_amount"`
	HandlingAmount          int64    `json:"handling_amount"`
	PayAmount               int64    `json:"pay_amount"`
	PaymentCurrency         string   `json:"payment_currency"`
	PaymentCurrencyDecimals int      `json:"payment_currency_decimals"`
	PaymentSubtotal         int64    `json:"payment_subtotal"`
	PaymentHandlingAmount   int64    `json:"payment_handling_amount"`
	PaymentPayAmount        int64    `json:"payment_pay_amount"`
	PaymentNo               string   `json:"payment_no"`
	PaymentName             string   `json:"payment_name"`
	PaymentMethods          []string `json:"payment_methods,omitempty"`
	TradeNo                 string   `json:"trade_no"`
	// PaidTime is YYYY-MM-DD HH:mm:ss in UTC; nil until the order is paid.
	PaidTime  *string `json:"paid_time"`
	CreatedAt *string `json:"created_at"`
	UpdatedAt *string `json:"updated_at"`
}

// CatalogPaymentSession is a started payment. It is no proof of payment: ask PaymentStatus.
type CatalogPaymentSession struct {
	TradeNo string `json:"trade_no"`
	// Redirect is where the buyer goes; a path is relative to the address of the service.
	Redirect string `json:"redirect"`
	// ExpireTime is in Unix seconds.
	ExpireTime int64 `json:"expire_time"`
}

// UserToken is a token of a person. It is a secret of that person: keep it on the server.
type UserToken struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	// ExpiresIn is in seconds.
	ExpiresIn int64  `json:"expires_in"`
	Scope     string `json:"scope,omitempty"`
	IDToken   string `json:"id_token,omitempty"`
}

// UserInfo is who a person is. Claims has all members.
type UserInfo struct {
	Sub    string
	Claims map[string]any
}
