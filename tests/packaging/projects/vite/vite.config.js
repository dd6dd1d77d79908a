export default {
  optimizeDeps: { exclude: ['walkmesh'] },
};
