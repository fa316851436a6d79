/** The few texts around the frame, in the languages of the checkout: its name, the close button, and the way out. */
type Texts = readonly [name: string, close: string, help: string];

const texts: Readonly<Record<string, Texts>> = {
  en: ['Payment', 'Close the payment', 'Nothing here? Open the payment page'],
  de: ['Zahlung', 'Zahlung schließen', 'Nichts zu sehen? Zahlungsseite öffnen'],
  es: ['Pago', 'Cerrar el pago', '¿No se ve nada? Abrir la página de pago'],
  fr: ['Paiement', 'Fermer le paiement', 'Rien ne s’affiche ? Ouvrir la page de paiement'],
  zh: ['付款', '关闭付款', '没有显示？打开付款页面'],
  ja: ['お支払い', 'お支払いを閉じる', '表示されませんか？お支払いページを開く'],
  ar: ['الدفع', 'إغلاق الدفع', 'لا يظهر شيء؟ افتح صفحة الدفع'],
};

/** The texts for the language of a page, such as `de-AT`; English for others. */
export function textsFor(language: string): Texts {
  const [tag = ''] = language.toLowerCase().split('-');
  return (Object.hasOwn(texts, tag) ? texts[tag] : texts.en) ?? ['', '', ''];
}
