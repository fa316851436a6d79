<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** One page of products. `total` counts the matching products on all pages. */
final class ProductPage
{
    /** @param list<Product> $list */
    public function __construct(
        public readonly array $list,
        public readonly int $total,
        public readonly int $page,
        public readonly int $limit,
    ) {
    }
}
