<?php

declare(strict_types=1);

namespace Paydesk;

/**
 * A call failed. Branch on `status` and `errorCode`, never on the text. It contains no secret, no token and no body.
 */
final class PaydeskException extends \RuntimeException
{
    /**
     * @param int $status the HTTP status, or 0 if no answer arrived
     * @param string $errorCode the service's `error`, or `network_error`, `timeout` or `invalid_response`
     * @param ?string $field the parameter that caused the error, if the service names one
     * @param ?int $retryAfterS seconds that the service asks the client to wait
     * @param ?string $requestId the id of this call, for questions to the operator
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        public readonly ?string $description = null,
        public readonly ?string $field = null,
        public readonly ?int $retryAfterS = null,
        public readonly ?string $requestId = null,
        ?\Throwable $previous = null,
    ) {
        $text = $description === null ? '' : ": $description";
        parent::__construct("$errorCode (HTTP $status)$text", 0, $previous);
    }

    /** @internal the error for an answer that is not what the call gives */
    public static function invalidResponse(string $description): self
    {
        return new self(200, 'invalid_response', $description);
    }
}
