module.exports = {
  title: 'A VuePress site',
  base: '/project/',
  plugins: [['tabs']],
}
