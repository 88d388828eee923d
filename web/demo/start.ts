// The entry of every page: shows errors while its program loads and starts.
import { complain } from './page.js';

const kPrograms: Record<string, () => Promise<unknown>> = {
  leak: () => import('./main.js'),
  training: () => import('./training.js'),
  detection: () => import('./detection.js'),
};

repairLanguage();
// Otherwise an unhandled rejection or an exception in a callback would leave the page as silent as a failed import.
addEventListener('error', ({ error, message }) => complain(error ?? message));
addEventListener('unhandledrejection', ({ reason }) => complain(reason));
kPrograms[document.documentElement.dataset['page'] ?? '']?.().catch(complain);

/** Replaces a language that Intl rejects: WebKitGTK reports "c" if LANG is C, and uPlot formats numbers while it loads. */
function repairLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
}
