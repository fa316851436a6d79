<?php

declare(strict_types=1);

namespace Paydesk;

use Paydesk\Http\Answer;
use Paydesk\Http\Attempt;
use Paydesk\Http\Call;
use Paydesk\Http\CurlTransport;
use Paydesk\Http\Environment;
use Paydesk\Http\Retries;
use Paydesk\Http\Sender;
use Paydesk\Http\Transport;
use Paydesk\Model\AuthorizationRequest;
use Paydesk\Model\CollectionOrder;
use Paydesk\Model\CreatedOrder;
use Paydesk\Model\DeliveryRecord;
use Paydesk\Model\PaymentChannel;
use Paydesk\Model\UserToken;
use Paydesk\Token\Credentials;
use Paydesk\Token\MemoryTokenStore;
use Paydesk\Token\TokenSource;
use Paydesk\Token\TokenStore;

/** Calls for a merchant's server. They throw `PaydeskException`; wrong arguments throw `InvalidArgumentException`. */
final class Client
{
    public const VERSION = '0.2.0';

    /** @internal hosts that are this machine */
    public const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

    private const BEGINNING = '1970-01-01T00:00:00Z';

    /** The merchant's profile and products, and orders of products for a person. */
    public readonly Catalog $catalog;

    private readonly string $orders;
    private readonly string $base;
    private readonly string $authorizationEndpoint;
    private readonly string $userinfoEndpoint;
    private readonly Credentials $credentials;
    private readonly Retries $retries;
    private readonly Sender $sender;
    private readonly TokenSource $tokens;

    /**
     * @param string $baseUrl the API base address with its path prefix: HTTPS, or plain HTTP on loopback
     * @param ?TokenStore $tokenStore keeps tokens between requests; by default this process only
     * @param ?string $tokenEndpoint by default `/oauth/token` below `$baseUrl`
     * @param ?string $authorizationEndpoint by default `authorize` beside the token endpoint
     * @param ?string $userinfoEndpoint by default `/oauth/userinfo` below `$baseUrl`
     * @param float $timeoutS the limit of a whole call with retries and waits; each call takes one of its own, too
     * @param float $attemptTimeoutS the limit of one attempt
     * @param int $maxAttempts per call, with the first
     * @param ?\Closure(Attempt): void $onAttempt called after each attempt, for logs and metrics
     * @param bool $allowPlainHttp to other hosts than loopback, for a network that is otherwise private
     */
    public function __construct(
        string $baseUrl,
        string $clientId,
        #[\SensitiveParameter] string $clientSecret,
        ?TokenStore $tokenStore = null,
        ?string $tokenEndpoint = null,
        ?string $authorizationEndpoint = null,
        ?string $userinfoEndpoint = null,
        string $scope = 'merchant_payments.create merchant_payments.read',
        string $catalogScope = 'merchant.profile.read products.read',
        float $timeoutS = 30.0,
        float $attemptTimeoutS = 10.0,
        int $maxAttempts = 4,
        ?\Closure $onAttempt = null,
        bool $allowPlainHttp = false,
        ?Transport $transport = null,
        ?Environment $environment = null,
    ) {
        foreach (['clientId' => $clientId, 'clientSecret' => $clientSecret] as $name => $given) {
            if ($given === '') {
                throw new \InvalidArgumentException("$name must be a text that is not empty");
            }
        }
        $checked = static fn (string $address): string => self::checkedAddress($address, $allowPlainHttp);
        $base = rtrim($checked($baseUrl), '/');
        $endpoint = $checked($tokenEndpoint ?? "$base/oauth/token");
        $beside = preg_replace('~[^/]*$~D', 'authorize', explode('?', $endpoint, 2)[0], 1);
        $this->authorizationEndpoint = $checked($authorizationEndpoint ?? (string) $beside);
        $this->userinfoEndpoint = $checked($userinfoEndpoint ?? "$base/oauth/userinfo");
        $this->base = "$base/openapi/v1";
        $this->orders = "$this->base/merchant-payments";
        $this->credentials = new Credentials($endpoint, $clientId, $clientSecret);
        $env = $environment
            ?? new Environment($transport ?? new CurlTransport(), $attemptTimeoutS, $maxAttempts, $onAttempt);
        $this->retries = new Retries($env);
        $this->sender = new Sender($env, $this->retries, $timeoutS);
        $store = $tokenStore ?? new MemoryTokenStore();
        $tokensFor = fn (string $scopes): TokenSource =>
            new TokenSource($env, $this->retries, $this->credentials, $store, $scopes);
        $this->tokens = $tokensFor($scope);
        $this->catalog = new Catalog($this->sender, $tokensFor($catalogScope), $this->base);
    }

    /**
     * Creates an order, or returns the one that the same `$idempotencyKey` created before.
     *
     * Store the key with your own order before the call, so that every retry uses the same one. If the outcome is unknown, call it
     * again with the same key and parameters: a new key could charge the buyer twice.
     *
     * @param string|int|null $amount a decimal string
     * @param ?int $amountMinor replaces `$amount` in older integrations
     * @param ?int $expiresIn 60 to 7200 seconds
     * @throws \InvalidArgumentException for a float: PHP itself would make 1998 of 19.99 * 100
     */
    public function createOrder(
        string $externalReference,
        string $idempotencyKey,
        string $currency,
        string|int|float|null $amount = null,
        int|float|null $amountMinor = null,
        ?string $paymentNo = null,
        ?string $description = null,
        ?int $expiresIn = null,
        ?bool $notifyEnabled = null,
        ?string $notifyUrl = null,
        #[\SensitiveParameter] ?string $notifySecret = null,
        ?string $returnUrl = null,
        ?float $timeoutS = null,
    ): CreatedOrder {
        if (is_float($amount) || ($amountMinor !== null && (float) (int) $amountMinor !== (float) $amountMinor)) {
            throw new \InvalidArgumentException(
                'amount must be a text such as "10.00", amountMinor a whole number: a float may already be rounded',
            );
        }
        $body = [
            'external_reference' => $externalReference,
            'idempotency_key' => $idempotencyKey,
            'amount' => $amount === null ? null : (string) $amount,
            'amount_minor' => $amountMinor === null ? null : (int) $amountMinor,
            'currency' => $currency,
            'payment_no' => $paymentNo,
            'description' => $description,
            'expires_in' => $expiresIn,
            'notify_enabled' => $notifyEnabled,
            'notify_url' => $notifyUrl,
            'notify_secret' => $notifySecret,
            'return_url' => $returnUrl,
        ];
        $given = array_filter($body, static fn ($value): bool => $value !== null);
        return CreatedOrder::from($this->send(new Call('POST', $this->orders, body: $given), $timeoutS));
    }

    /** One order. */
    public function getOrder(string $orderNo, ?float $timeoutS = null): CollectionOrder
    {
        return CollectionOrder::from($this->send(new Call('GET', $this->order($orderNo)), $timeoutS));
    }

    /**
     * The orders of a reference or number: newest first, at most `$limit` (1 to 100, default 20).
     *
     * @return list<CollectionOrder>
     */
    public function listOrders(
        ?string $externalReference = null,
        ?string $orderNo = null,
        ?int $limit = null,
        ?float $timeoutS = null,
    ): array {
        $query = ['external_reference' => $externalReference, 'order_no' => $orderNo, 'limit' => $limit];
        return Sender::items(CollectionOrder::class, $this->send(new Call('GET', $this->orders, $query), $timeoutS));
    }

    /**
     * All orders that were created from a time (inclusive) to another (exclusive), oldest first. It reads further pages as the loop
     * needs them. `$limit` is the size of a page, `$timeoutS` the limit of each.
     *
     * @return \Generator<int, CollectionOrder>
     */
    public function orders(
        string|\DateTimeInterface $createdFrom = self::BEGINNING,
        string|\DateTimeInterface|null $createdTo = null,
        int $limit = 100,
        ?float $timeoutS = null,
    ): \Generator {
        $query = [
            'created_from' => self::time($createdFrom),
            'created_to' => $createdTo === null ? null : self::time($createdTo),
            'limit' => $limit,
        ];
        $i = 0;
        do {
            $page = $this->send(new Call('GET', $this->orders, $query), $timeoutS);
            foreach (Sender::items(CollectionOrder::class, $page) as $order) {
                yield $i++ => $order;
            }
            $query['cursor'] = $page->next_cursor ?? null;
        } while (is_string($query['cursor']));
    }

    /**
     * The channels that an order can be restricted to.
     *
     * @return list<PaymentChannel>
     */
    public function channels(?float $timeoutS = null): array
    {
        $call = new Call('GET', "$this->base/merchant-payment-channels");
        return Sender::items(PaymentChannel::class, $this->send($call, $timeoutS));
    }

    /**
     * The delivery records of the order's notifications, highest status version first.
     *
     * @return list<DeliveryRecord>
     */
    public function notifications(string $orderNo, ?int $limit = null, ?float $timeoutS = null): array
    {
        $call = new Call('GET', $this->order($orderNo) . '/notifications', ['limit' => $limit]);
        return Sender::items(DeliveryRecord::class, $this->send($call, $timeoutS));
    }

    /** Requests another attempt for a notification whose automatic attempts are used up; no effect on others. */
    public function retryNotification(string $orderNo, string $eventId, ?float $timeoutS = null): void
    {
        $url = $this->order($orderNo) . '/notifications/' . Sender::segment($eventId) . '/retry';
        if (($this->send(new Call('POST', $url), $timeoutS)->accepted ?? null) !== true) {
            throw PaydeskException::invalidResponse('the replay was not accepted');
        }
    }

    /**
     * Where to send a person's browser, so that the person lets you order and pay for them (PKCE, RFC 7636).
     *
     * @param list<string> $scopes such as `orders.create`
     */
    public function authorizationUrl(
        string $redirectUri,
        array $scopes,
        ?string $state = null,
        ?string $nonce = null,
    ): AuthorizationRequest {
        $verifier = self::base64url(random_bytes(32));
        $state ??= self::base64url(random_bytes(32));
        [$address, $own] = explode('?', $this->authorizationEndpoint, 2) + [1 => ''];
        parse_str($own, $query);
        $query = array_filter([
            ...$query,
            'response_type' => 'code',
            'client_id' => $this->credentials->clientId,
            'redirect_uri' => $redirectUri,
            'scope' => implode(' ', $scopes),
            'state' => $state,
            'nonce' => $nonce,
            'code_challenge' => self::base64url(hash('sha256', $verifier, true)),
            'code_challenge_method' => 'S256',
        ], static fn ($value): bool => $value !== null);
        return new AuthorizationRequest("$address?" . Sender::form($query), $state, $verifier);
    }

    /** Exchanges the code that the browser brought back for the person's token. A code works once. */
    public function exchangeCode(
        #[\SensitiveParameter] string $code,
        string $redirectUri,
        #[\SensitiveParameter] string $codeVerifier,
        ?float $timeoutS = null,
    ): UserToken {
        $form = [
            'grant_type' => 'authorization_code',
            'code' => $code,
            'redirect_uri' => $redirectUri,
            'code_verifier' => $codeVerifier,
        ];
        $request = $this->credentials->request($form, false);
        return UserToken::from($this->retries->send($request, $this->sender->deadline($timeoutS)));
    }

    /**
     * Who the person is (`sub` and further claims). The token needs the scope `openid`.
     *
     * @return array<string, mixed>
     */
    public function userInfo(#[\SensitiveParameter] string $userToken, ?float $timeoutS = null): array
    {
        $answer = $this->sender->sendAs(new Call('GET', $this->userinfoEndpoint), $userToken, $timeoutS);
        if (!is_string($answer->sub ?? null)) {
            throw PaydeskException::invalidResponse('the answer has no sub');
        }
        return Answer::plain($answer);
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['base' => $this->base];
    }

    private function order(string $orderNo): string
    {
        return "$this->orders/" . Sender::segment($orderNo);
    }

    private function send(Call $call, ?float $timeoutS): \stdClass
    {
        return $this->sender->send($call, $this->tokens, $timeoutS);
    }

    /** The address if it is safe for credentials. */
    private static function checkedAddress(string $address, bool $allowPlainHttp): string
    {
        $url = parse_url($address) ?: [];
        [$scheme, $host] = [strtolower($url['scheme'] ?? ''), $url['host'] ?? ''];
        if ($scheme === '' || $host === '' || isset($url['user']) || isset($url['pass'])) {
            throw new \InvalidArgumentException('an address must be like https://pay.example');
        }
        $is_loopback = in_array($host, self::LOOPBACK, true);
        $is_safe = $scheme === 'https' || ($scheme === 'http' && ($is_loopback || $allowPlainHttp));
        return $is_safe ? $address : throw new \InvalidArgumentException("$scheme://$host must be HTTPS");
    }

    private static function time(string|\DateTimeInterface $time): string
    {
        if (is_string($time)) {
            return $time;
        }
        return \DateTimeImmutable::createFromInterface($time)->setTimezone(new \DateTimeZone('UTC'))->format('Y-m-d\TH:i:s.v\Z');
    }

    private static function base64url(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
