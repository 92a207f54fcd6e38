let x
