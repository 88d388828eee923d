import DefaultTheme from 'vitepress/theme';
import { h, nextTick } from 'vue';
import LeakLive from './LeakLive.vue';
import Playground from './Playground.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': () => h(LeakLive) }),
  enhanceApp({ app, router }) {
    app.component('Playground', Playground);
    if (import.meta.env.SSR) return;
    // VitePress's home page has no main landmark.
    const markMain = () =>
      nextTick(() => document.querySelector('.VPContent:not(:has(main))')?.setAttribute('role', 'main'));
    router.onAfterRouteChange = markMain;
    addEventListener('load', () => void markMain());
  },
};
