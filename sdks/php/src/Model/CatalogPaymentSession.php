<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** A started payment. It is no proof of payment: ask `paymentStatus`. */
final class CatalogPaymentSession extends Model
{
    /**
     * @param string $redirect where the buyer goes; a path is relative to the address of the service
     * @param int $expireTime Unix seconds
     */
    public function __construct(
        public readonly string $tradeNo,
        public readonly string $redirect,
        public readonly int $expireTime,
    ) {
    }
}
