export type { Notice } from './catalogue/notices.ts';
export { directionOf, isLocale, type Locale, locales, localeTags, negotiateLocale } from './model/locale.ts';
export type {
  CheckoutAttempt,
  CheckoutBuyer,
  CheckoutMethod,
  CheckoutState,
  CheckoutView,
} from './model/state.ts';
export { publicState } from './model/state.ts';
export { type Asset, assetPath, type Assets, assetsBuilt, bareAssets, loadAssets } from './server/assets.ts';
export { type ConsentContext, renderConsent, scopeWords } from './server/render-consent.tsx';
export type { BaseContext } from './server/document.tsx';
export { type PageContext, renderCheckout } from './server/render-checkout.tsx';
export { type OrderContext, type OrderView, renderOrder } from './server/render-order.tsx';
export { type MessageContext, renderMessage } from './server/render-message.tsx';
export { hasReceipt, type ReceiptContext, renderReceipt } from './server/render-receipt.tsx';
export {
  type AccountContext,
  renderAccount,
  renderRecoveryCodes,
  renderTotp,
  type TotpContext,
} from './server/render-account.tsx';
export { type FactorContext, renderSecondFactor } from './server/render-factor.tsx';
export {
  type ForgotContext,
  renderForgot,
  renderReset,
  type ResetContext,
  passwordChangedMail,
  resetMail,
} from './server/render-password.tsx';
export type { Said } from './server/said-box.tsx';
export { renderSignIn, type SignInContext } from './server/render-sign-in.tsx';
