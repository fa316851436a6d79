/** The texts of the checkout in English. Every other language has the same keys and placeholders. */
export const en = {
  page_title: 'Pay {amount} to {merchant}',
  page_title_status: '{status} · {merchant}',
  payment_to: 'Payment to {merchant}',
  language: 'Language',
  test_banner: 'Test mode: no money is taken.',
  offline: 'You are offline. Nothing is lost: this page goes on when you are connected again.',

  amount_due: 'Invoice amount',
  reference: 'Merchant reference',
  order_number: 'Order number',
  copy_reference: 'Copy merchant reference',
  copy_order_number: 'Copy order number',
  copied: 'Copied',
  copy_by_hand: 'Copying is not possible here. Please select the text.',
  time_left: 'Time left to pay',
  time_left_announced: '{time} left to pay',
  time_up: 'Checking the deadline …',

  choose_title: 'How would you like to pay?',
  methods: 'Payment methods',
  method_no_fee: 'No fee',
  method_fee: 'Includes a fee of {fee}',
  method_wait: 'up to {time}',
  method_test: 'Test',
  method_unavailable: 'Not available for this order at the moment',
  choose_first: 'Please choose a payment method first.',
  choose_method: 'Choose a method',
  show_total: 'Show total',
  breakdown: 'What you pay',
  breakdown_paid: 'What was paid',
  subtotal: 'Subtotal',
  fee: 'Fee',
  total: 'Total',
  ptk_debit: 'Debited from your balance',
  ptk_rate: 'Locked rate',
  ptk_rate_value: '{ptk} = {price}',
  ptk_balance: 'Your available balance',
  pay: 'Pay {total}',
  starting: 'One moment …',
  starting_announced: 'Your payment is being started.',
  redirecting: 'Taking you to the payment page …',
  pay_once: 'You are charged once, however often you click or reload.',

  signed_in_as: 'Signed in as {name}',
  switch_account: 'Use another account',
  sign_in_to_pay: 'Sign in to pay',
  sign_in_needed: 'To pay this way, please sign in. You come straight back here.',
  balance_short: 'Your balance is too low: {missing} are missing.',
  balance_advice: 'Choose another method or use another account.',
  balance_advice_only: 'Top up your balance, then come back to this page, or use another account.',
  balance_advice_top_up: 'Top up your balance: you come back here afterwards.',
  top_up_link: 'Top up your balance',
  top_up_paid: 'The PTK are in your balance.',
  top_up_go_on: 'Continue',
  top_up_soon: 'You continue in a moment.',
  self_payment:
    'This order belongs to your own business, so it cannot be paid from your own balance. Choose another method or use another account.',

  no_method_title: 'No payment method is available right now',
  no_method_text: 'Nothing was charged. Try again in a moment, or ask {merchant} for another way to pay.',
  resume_title: 'Your payment page is open',
  resume_text:
    'You have started to pay with {method}. You can go back to the same payment page at any time until the deadline.',
  resume_action: 'Continue to pay {total}',
  returned_title: 'Welcome back',
  returned_text:
    'If you have completed the payment, please wait: this page shows the confirmation as soon as we have it. If not, you can continue on the same payment page.',
  canceled_title: 'Nothing was charged',
  canceled_text:
    'You left the payment page before paying. You can go on with it until the time to pay has passed.',
  other_methods: 'Choose another method',
  contact_link: 'Contact {merchant}',
  unresolved_title: 'We are waiting for the payment provider',
  unresolved_text:
    'We do not have a clear answer yet. Please do not pay by another way. We keep checking, and this page updates by itself.',
  unresolved_action: 'Check again',
  processing_title: 'Your payment is being processed',
  processing_text:
    'The provider has received your payment and confirms it later. With some methods this takes a few days. You do not need to do anything, and you can close this page.',
  attempt_ended_title: 'The payment was not completed',
  attempt_ended_text:
    'The provider has confirmed that this payment did not go through. Please go back to {merchant} and start a new order.',
  review_title: 'We are checking your payment',
  review_text:
    'The time to pay has passed, and we are asking the provider what became of the payment. Please do not pay again. This page updates by itself.',
  checking_title: 'We are checking this order',
  checking_text:
    'The answer of the payment provider needs a closer look. Please do not pay again. Your order number is all you need if you have a question.',
  paid_title: 'Payment confirmed',
  paid_text: '{merchant} has received your payment.',
  paid_late_text: 'Your payment arrived after the deadline and was accepted. {merchant} has received it.',
  paid_on: 'Paid on',
  paid_with: 'Paid with',
  return_soon: 'We take you back to {merchant} in a moment.',
  return_link: 'Back to {merchant}',
  stay: 'Stay on this page',
  receipt_link: 'Receipt',
  embed_tab: 'Opens in a new tab.',
  embed_done: 'Done',
  tab_close: 'You can close this tab. The page of {merchant} from which you came goes on by itself.',
  expired_title: 'The time to pay has passed',
  expired_text:
    'Nothing can be paid here any more. If you still want to buy, go back to {merchant} and order again.',
  expired_late:
    'If you have already paid, you do not need to do anything: the payment is recognized and shown here.',
  refunded_title: 'This payment was refunded',
  refunded_text:
    'The full amount goes back the way it was paid. Depending on your bank, this can take a few days.',
  chargeback_title: 'This payment was charged back',
  chargeback_text:
    'The money of this payment was taken back from {merchant}. If it has not reached you yet, please ask {merchant} or your bank.',
  reload: 'Check now',
  no_script: 'This page does not update by itself in your browser. The deadline is {time}.',

  notice_login_required: 'Please sign in to pay this way.',
  notice_insufficient_balance: 'Your balance is too low for this payment. Nothing was charged.',
  notice_self_payment: 'Merchants cannot pay their own orders from their own balance. Nothing was charged.',
  notice_pending: 'The payment provider has not answered clearly yet. Please wait here and do not pay again.',
  notice_conflict:
    'This order was already paid or started, perhaps in another tab. This page shows where it stands.',
  notice_rejected:
    'The payment provider declined to open a payment page. Nothing was charged. Choose another method, or try again.',
  notice_mismatch:
    'The provider’s answer does not match this order, so we stopped. Please do not pay again; we are checking.',
  notice_channel_unavailable:
    'This payment method is not available right now. Nothing was charged. Please choose another method.',
  notice_test_denied: 'This test method is not open to you. Please choose another method or another account.',
  notice_merchant_inactive: 'This merchant cannot take payments at the moment. Nothing was charged.',
  notice_funding:
    'The merchant cannot take payments this way at the moment. Nothing was charged. Please choose another method.',
  notice_expired: 'The time to pay has passed.',
  notice_limited: 'That was a lot of requests. Please wait {seconds} and try again.',
  notice_unavailable: 'The service is briefly not available. Please wait {seconds} and try again.',
  notice_unclear:
    'We did not get an answer. We are checking where your order stands: please wait a moment before you try again.',
  notice_not_closed:
    'The provider has not confirmed that its payment page is closed, so no other method can be used yet. Please try again in a moment.',
  notice_not_started: 'The payment could not be started. Please check the page and try again.',

  phone_title: 'Continue on your phone',
  phone_text: 'Scan this code with your phone’s camera to open this page there.',
  phone_alt: 'QR code that opens this page',
  footer: 'Card details are never entered on this page.',

  no_page_title: 'There is no page here',
  no_page_text: 'The address may be mistyped or out of date.',
  to_the_start: 'Go to the start',
  not_found_title: 'We cannot find this payment',
  not_found_text:
    'The link is incomplete or no longer right. Please open it again from the shop, or ask the merchant for a new one.',
  gone_title: 'The time to pay has passed',
  gone_text: 'Nothing was charged here. Please go back to the merchant and order again.',
  limited_title: 'One moment, please',
  limited_text:
    'There were many requests from your connection. Please wait {seconds}, then try again. Nothing is lost.',
  unavailable_title: 'Back in a moment',
  unavailable_text:
    'The service is briefly not available. Please wait {seconds}, then try again. If you have just paid, do not pay again.',
  error_title: 'Something went wrong on our side',
  error_text:
    'We are sorry. If you have just paid, do not pay again: open the page again to see where your order stands.',
  cross_site_title: 'This request did not come from our page',
  cross_site_text:
    'To keep you safe, nothing was done. Please open the payment page again and continue there.',
  try_again: 'Try again',

  sign_in_title: 'Sign in',
  sign_in_email: 'Email address',
  sign_in_password: 'Password',
  sign_in_action: 'Sign in',
  sign_in_invalid: 'The email address or the password is wrong.',
  sign_in_limited: 'There were too many attempts. Please wait {seconds} and try again.',
  sign_in_back: 'Back without signing in',

  order_delivered_title: 'Your order is complete',
  order_delivery: 'Your delivery',
  order_preparing: '{merchant} is preparing your order.',
  order_delivered: '{merchant} has delivered your order.',

  receipt_title: 'Receipt',
  receipt_description: 'Description',
  receipt_status: 'Status',
  receipt_paid: 'Paid',
  receipt_refunded: 'Refunded',
  receipt_chargeback: 'Charged back',
  receipt_trade_no: 'Transaction number',
  receipt_contact: 'Contact of the merchant',
  receipt_print: 'Print',
  receipt_test: 'Test payment: no money was taken.',
  receipt_back: 'Back to the payment page',
} as const;
