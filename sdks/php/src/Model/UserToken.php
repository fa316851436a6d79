<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** A token of a person. It is a secret of that person: keep it on the server. */
final class UserToken extends Model
{
    /** @param int $expiresIn seconds */
    public function __construct(
        #[\SensitiveParameter] public readonly string $accessToken,
        public readonly string $tokenType,
        public readonly int $expiresIn,
        public readonly ?string $scope = null,
        public readonly ?string $idToken = null,
    ) {
    }
}
