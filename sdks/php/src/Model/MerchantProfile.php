<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** The public profile of a merchant. A property is empty if the merchant has not set it. */
final class MerchantProfile extends Model
{
    public function __construct(
        public readonly string $merchantNo,
        public readonly string $name,
        public readonly string $logoUrl,
        public readonly string $shortDescription,
        public readonly string $description,
        public readonly string $businessScope,
        public readonly string $websiteUrl,
        public readonly string $contact,
    ) {
    }
}
