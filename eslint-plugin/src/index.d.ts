import type { ESLint, Linter, Rule } from 'eslint';

declare const plugin: ESLint.Plugin & {
  rules: Record<
    'no-async-tidy' | 'no-escaping-tensor' | 'no-overwritten-tensor' | 'no-unowned-tensor' | 'require-dispose',
    Rule.RuleModule
  >;
  configs: { recommended: Linter.Config };
};
export default plugin;
