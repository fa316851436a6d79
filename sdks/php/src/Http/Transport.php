<?php

declare(strict_types=1);

namespace Paydesk\Http;

/** Sends one request. Implement it to use an HTTP library of yours. */
interface Transport
{
    /**
     * Gives the answer, whatever its status. It follows no redirect, which could send a token to another host.
     *
     * @throws TransportException if no answer arrives within the time
     */
    public function send(Request $request, float $timeoutS): Response;
}
