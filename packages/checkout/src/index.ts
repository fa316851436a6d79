/** The buyer's pages, as the server uses them: rendering, assets, languages and the state of an order. */
export type { Notice } from './texts/notices.ts';
export { brandName, methodTypeName } from './texts/method-names.ts';
export { directionOf, isLocale, type Locale, locales, localeTags, negotiateLocale } from './model/locale.ts';
export type {
  CheckoutAttempt,
  CheckoutBuyer,
  CheckoutMethod,
  CheckoutPaidWith,
  CheckoutState,
  CheckoutView,
} from './model/state.ts';
export { publicState } from './model/state.ts';
export { absentText } from './server/account/absent-text.ts';
export { waitText } from './server/wait-text.ts';
export { type Asset, assetPath, type Assets, assetsBuilt, bareAssets, loadAssets } from './server/assets.ts';
export { type ConsentContext, renderConsent, scopeWords } from './server/account/render-consent.tsx';
export type { BaseContext, Brand } from './server/document.tsx';
export { type PageContext, renderCheckout } from './server/order/render-checkout.tsx';
export { type PayLinkContext, renderPayLink } from './server/order/render-payment-link.tsx';
export { type OrderContext, type OrderView, renderOrder } from './server/order/render-order.tsx';
export { renderQrCode } from './server/order/qr-code.tsx';
export { type MessageContext, renderMessage } from './server/render-message.tsx';
export { hasReceipt, receiptText, type ReceiptText } from './server/order/receipt-facts.ts';
export { type ReceiptContext, renderReceipt } from './server/order/render-receipt.tsx';
export { type AccountContext, renderAccount } from './server/account/render-account.tsx';
export { type FactorContext, renderSecondFactor } from './server/account/render-factor.tsx';
export { renderRecoveryCodes, renderTotp, type TotpContext } from './server/account/render-factor-set-up.tsx';
export {
  type ForgotContext,
  renderForgot,
  renderReset,
  type ResetContext,
  passwordChangedMail,
  resetMail,
} from './server/account/render-password.tsx';
export type { Said } from './server/account/said-box.tsx';
export { renderSignIn, type SignInContext } from './server/account/render-sign-in.tsx';
export {
  type InvitationContext,
  invitationMail,
  renderInvitation,
} from './server/account/render-invitation.tsx';
export {
  type ConfirmSignUpContext,
  renderConfirmSignUp,
  renderSignUp,
  signUpMail,
  type SignUpContext,
} from './server/account/render-sign-up.tsx';
export type { Purchase } from './server/account/purchase-strip.tsx';
export {
  type Activity,
  type ActivityPageContext,
  type BuyerPayment,
  renderActivity,
  type WalletLine,
} from './server/account/activity-parts.tsx';
export { renderTopUp, type TopUpContext } from './server/account/render-top-up.tsx';
export { exportMail, type ExportMailFacts } from './server/mails/export-mail.ts';
export { noticeMail, type NoticeMailKind } from './server/mails/notice-mail.ts';
export { buyerMail, type BuyerMailFacts } from './server/mails/buyer-mail.ts';
