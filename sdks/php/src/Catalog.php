<?php

declare(strict_types=1);

namespace Paydesk;

use Paydesk\Http\Call;
use Paydesk\Http\Sender;
use Paydesk\Model\CatalogOrder;
use Paydesk\Model\CatalogPaymentSession;
use Paydesk\Model\MerchantProfile;
use Paydesk\Model\Product;
use Paydesk\Model\ProductPage;
use Paydesk\Token\TokenSource;

/**
 * The catalog: the merchant's profile and products, and orders of products for a person. Profile and products need no `$userToken`,
 * but take one. Orders need the token of the person who buys.
 */
final class Catalog
{
    /** @internal */
    public function __construct(
        private readonly Sender $sender,
        private readonly TokenSource $tokens,
        private readonly string $base,
    ) {
    }

    /** The public profile of the merchant. */
    public function merchant(
        #[\SensitiveParameter] ?string $userToken = null,
        ?float $timeoutS = null,
    ): MerchantProfile {
        return MerchantProfile::from($this->open(new Call('GET', "$this->base/merchant"), $userToken, $timeoutS));
    }

    /** One page of the products that are for sale, newest first. */
    public function listProducts(
        ?string $gdNo = null,
        ?string $searchValue = null,
        ?int $page = null,
        ?int $limit = null,
        #[\SensitiveParameter] ?string $userToken = null,
        ?float $timeoutS = null,
    ): ProductPage {
        $query = ['gd_no' => $gdNo, 'search_value' => $searchValue, 'page' => $page, 'limit' => $limit];
        $answer = $this->open(new Call('GET', "$this->base/products", $query), $userToken, $timeoutS);
        $counts = [$answer->total ?? null, $answer->page ?? null, $answer->limit ?? null];
        if ($counts !== array_filter($counts, is_int(...))) {
            throw PaydeskException::invalidResponse('the list has no total');
        }
        return new ProductPage(Sender::items(Product::class, $answer, 'list'), ...$counts);
    }

    /**
     * All of them. It reads further pages as the loop needs them; `$limit` is the size of a page.
     *
     * @return \Generator<int, Product>
     */
    public function products(
        ?string $gdNo = null,
        ?string $searchValue = null,
        int $limit = 100,
        #[\SensitiveParameter] ?string $userToken = null,
        ?float $timeoutS = null,
    ): \Generator {
        $i = 0;
        for ($page = 1; ; $page++) {
            $found = $this->listProducts($gdNo, $searchValue, $page, $limit, $userToken, $timeoutS);
            foreach ($found->list as $product) {
                yield $i++ => $product;
            }
            if ($found->list === [] || $page * $found->limit >= $found->total) {
                return;
            }
        }
    }

    /**
     * Orders a product for the person and returns the number of the order. There is no idempotency key, so a request without an
     * answer is not repeated: look before you try again.
     *
     * @param array<string, string> $otherIpu
     */
    public function createOrder(
        string $gdNo,
        int $quantity,
        string $paymentNo,
        #[\SensitiveParameter] string $userToken,
        array $otherIpu = [],
        ?float $timeoutS = null,
    ): string {
        $body = ['gd_no' => $gdNo, 'quantity' => $quantity, 'payment_no' => $paymentNo];
        $body += $otherIpu === [] ? [] : ['other_ipu' => (object) $otherIpu];
        $call = new Call('POST', "$this->base/orders", body: $body, repeatable: false);
        $order_no = $this->sender->sendAs($call, $userToken, $timeoutS)->order_no ?? null;
        return is_string($order_no) ? $order_no : throw PaydeskException::invalidResponse('the answer lacks order_no');
    }

    /** One order of the person. */
    public function getOrder(
        string $orderNo,
        #[\SensitiveParameter] string $userToken,
        ?float $timeoutS = null,
    ): CatalogOrder {
        $call = new Call('GET', "$this->base/orders/" . Sender::segment($orderNo));
        return CatalogOrder::from($this->sender->sendAs($call, $userToken, $timeoutS));
    }

    /** Starts the payment; PTK may be debited at once. Not repeated without an answer: ask `paymentStatus`. */
    public function startPayment(
        string $orderNo,
        string $paymentNo,
        #[\SensitiveParameter] string $userToken,
        ?float $timeoutS = null,
    ): CatalogPaymentSession {
        $url = "$this->base/orders/" . Sender::segment($orderNo) . '/payment';
        $call = new Call('POST', $url, body: ['payment_no' => $paymentNo], repeatable: false);
        return CatalogPaymentSession::from($this->sender->sendAs($call, $userToken, $timeoutS));
    }

    /** 0: pending, ask again later; 1: paid; 2: cancelled. */
    public function paymentStatus(
        string $orderNo,
        #[\SensitiveParameter] string $userToken,
        ?float $timeoutS = null,
    ): int {
        $call = new Call('GET', "$this->base/orders/" . Sender::segment($orderNo) . '/payment');
        $status = $this->sender->sendAs($call, $userToken, $timeoutS)->status ?? null;
        return is_int($status) ? $status : throw PaydeskException::invalidResponse('the payment has no status');
    }

    private function open(Call $call, #[\SensitiveParameter] ?string $userToken, ?float $timeoutS): \stdClass
    {
        return $userToken === null
            ? $this->sender->send($call, $this->tokens, $timeoutS)
            : $this->sender->sendAs($call, $userToken, $timeoutS);
    }
}
