export default { lang: 'zh-CN' }
